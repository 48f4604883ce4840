"""The part of an address that limits are counted by."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address


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
