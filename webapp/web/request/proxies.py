"""The proxy in front of the site, whose headers give address and scheme of a request, and the address of the site."""

from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any

from flask import Flask, current_app, request
from werkzeug.middleware.proxy_fix import ProxyFix

from webapp.config import Config
from webapp.ip_addresses import Network

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def init_app(app: Flask, config: Config) -> None:
    """Take address and scheme from one proxy in front of the site, if the site has a public URL."""
    if config.public_url:
        app.wsgi_app = _trusting(app.wsgi_app, config.trusted_proxies)  # type: ignore[method-assign, assignment]


def site_root() -> str:
    """Return what addresses of the site begin with, where they are given to others."""
    public_url: str = current_app.extensions["config"].public_url
    return public_url or request.url_root.rstrip("/")


def _trusting(app: WsgiApp, networks: tuple[Network, ...]) -> WsgiApp:
    """Return an app that takes address and scheme from the headers of proxies in these networks.

    Without networks every client is taken for the proxy; ``tefuda serve`` warns if clients other than this machine can
    connect.
    """
    behind_proxy = ProxyFix(app, x_for=1, x_proto=1)

    def trusting(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        is_trusted = not networks or _is_in(str(environ.get("REMOTE_ADDR", "")), networks)
        return (behind_proxy if is_trusted else app)(environ, start_response)

    return trusting


def _is_in(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        client = ip_address(address)
    except ValueError:
        return False
    client = getattr(client, "ipv4_mapped", None) or client
    return any(client in network for network in networks)
