"""Who a visitor is: there are no accounts, so whoever comes from the same address."""

import ipaddress


def visitor_of(address: str) -> str:
    """The visitor at an IP address. Of IPv6 the first 64 bits count: the rest is each household's own to choose."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(ip) >> 64 << 64))
