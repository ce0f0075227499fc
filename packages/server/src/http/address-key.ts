import ipaddr from 'ipaddr.js'

/** Anybody with an IPv6 line has 2^64 addresses: the network counts, not the address. */
const LINE_BITS = 64
/** And anybody who rents a network has 65,536 such lines. */
const NETWORK_BITS = 48

/** Under which name a caller's address is counted. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  // Without the mapping of IPv4 into IPv6, which a socket that listens on both adds.
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, LINE_BITS) : parsed.toString()
}

/** Under which name it is counted once more, beside many others. Null: IPv4, whose addresses nobody has so many of. */
export function networkKey(address: string): string | null {
  const parsed = ipaddr.isValid(address) ? ipaddr.process(address) : null
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, NETWORK_BITS) : null
}

function prefixOf({ parts }: ipaddr.IPv6, bits: number): string {
  const prefix = parts.slice(0, bits / 16).map((part) => part.toString(16))
  return `${prefix.join(':')}::/${bits}`
}
