import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

export type AddressVerdict = 'public' | 'private' | 'unknown-host'

/** Only plain public addresses pass: loopback, private, link-local, CGNAT, mapped and NAT64 ones are somebody's inside. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  // ::a.b.c.d is an old way to write an IPv4 address.
  const holdsIpv4 = address instanceof ipaddr.IPv6 && address.parts.slice(0, 6).every((part) => part === 0)
  return address.range() === 'unicast' && !holdsIpv4
}

/** Judges every address behind a name. `host` is the hostname of a parsed URL, so odd spellings of an IPv4 are already normal. */
export async function judgeHost(host: string): Promise<AddressVerdict> {
  const bare = host.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(bare)) return isPublicAddress(bare) ? 'public' : 'private'
  try {
    const addresses = await lookup(bare, { all: true })
    return addresses.every(({ address }) => isPublicAddress(address)) ? 'public' : 'private'
  } catch {
    return 'unknown-host'
  }
}
