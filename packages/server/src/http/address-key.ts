import ipaddr from 'ipaddr.js'

/** Anybody with an IPv6 line has 2^64 addresses: the network counts, not the address. */
const IPV6_NETWORK_PARTS = 4

/** Under which name a caller's address is counted. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  // Without the mapping of IPv4 into IPv6, which a socket that listens on both adds.
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = parsed.parts.slice(0, IPV6_NETWORK_PARTS).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
