"""IP addresses: the part that limits are counted by, and networks that are too large to be trusted."""

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Network = IPv4Network | IPv6Network

_WIDEST: Final = {4: 8, 6: 16}
"""By version of IP: a network with a shorter prefix is no proxy's, but half of the world."""
_OWN: Final = ip_network("fc00::/7")
"""Addresses of IPv6 that each network gives itself: however many, they are not the world."""


@lru_cache(maxsize=1024)  # each request asks. bench: server
def address_key(address: str) -> str:
    """Return what an address counts as: IPv4 as it is, also where it is mapped into IPv6; else the network, a /64.

    A customer has at least 2^64 IPv6 addresses to choose from. Text that is no address counts as it stands.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return f"{IPv6Address(int(ip) >> 64 << 64)}/64"


def is_loopback(host: str) -> bool:
    """Return True if an address can be reached from this machine only."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_half_the_world(network: Network) -> bool:
    """Return True for a network that is too large to hold only the proxies of a site."""
    if isinstance(network, IPv6Network) and network.subnet_of(_OWN):  # type: ignore[arg-type]
        return False
    return network.prefixlen < _WIDEST[network.version]
