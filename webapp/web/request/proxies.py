"""Proxies that may state the address and the scheme of a request."""

from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from webapp.config import Config
from webapp.setting_texts import Network

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def init_app(app: Flask, config: Config) -> None:
    """Take address and scheme from one proxy in front of the site, if the site has a public URL."""
    if config.public_url:
        app.wsgi_app = _believing(app.wsgi_app, config.trusted_proxies)  # type: ignore[method-assign, assignment]


def _believing(app: WsgiApp, networks: tuple[Network, ...]) -> WsgiApp:
    """Return an app that takes address and scheme from the headers of proxies in these networks, or from anybody's.

    Without a list whoever connects is taken for the proxy: ``tefuda serve`` warns if others than this machine may.
    """
    behind_proxy = ProxyFix(app, x_for=1, x_proto=1)

    def believing(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        believed = not networks or _is_in(str(environ.get("REMOTE_ADDR", "")), networks)
        return (behind_proxy if believed else app)(environ, start_response)

    return believing


def _is_in(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        asking = ip_address(address)
    except ValueError:
        return False
    asking = getattr(asking, "ipv4_mapped", None) or asking
    return any(asking in network for network in networks)
