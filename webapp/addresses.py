"""The part of an address that limits are counted by."""

from ipaddress import IPv6Address, ip_address


def address_key(address: str) -> str:
    """Return what an address counts as: IPv4 as it is, also where it is mapped into IPv6; else the network, a /64.

    A customer has at least 2^64 IPv6 addresses to choose from. Text that is no address counts as it stands.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"
