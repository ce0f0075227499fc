import ipaddr from 'ipaddr.js'

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Inside of clouds, though the numbers are public ones: the wire server of Azure, and the service network of IBM. The others have theirs
 * where nobody counts as public anyway (169.254.0.0/16, 100.64.0.0/10, 192.0.0.0/24, fc00::/7).
 */
const CLOUD_SERVICES = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((text) => ipaddr.IPv4.parseCIDR(text))

/** Only plain public addresses pass: loopback, private, link-local, CGNAT, mapped and NAT64 ones are somebody's inside. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return !CLOUD_SERVICES.some((network) => address.match(network))
  // What lies outside has no owner yet, or is an old way to write something else, as ::a.b.c.d is of an IPv4 address.
  return address.match(GLOBAL_IPV6)
}

/** An address that is written as a number, in its one plain form ("0x7f.1" is 127.0.0.1); null for a name. */
export function literalAddress(host: string): string | null {
  const bare = host.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null
}
