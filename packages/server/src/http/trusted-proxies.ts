import type { FastifyInstance } from 'fastify'
import ipaddr from 'ipaddr.js'

/** What `TRUST_PROXY=true` means: a proxy on this very machine. */
export const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1/128']

const MOST_JUDGED = 1_000
/** What is longer is none, and a header can hold thousands of letters. */
const LONGEST_ADDRESS = 45

/** An address or a network, such as 10.0.0.2 or 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/')
  // 10.0.0 would be taken for 10.0.0.0 otherwise.
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isWhole && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text))
}

/**
 * Whether an address is one of the proxies. Nobody else's `X-Forwarded-For` counts for anything: a caller that comes directly can write
 * whatever it likes into it.
 */
export function createProxyTrust(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((text) =>
    ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : wholeAddress(ipaddr.parse(text)),
  )
  if (ranges.length === 0) return () => false
  const judge = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))
  }
  // Asked several times for each request, mostly about the same few.
  const judged = new Map<string, boolean>()
  return (address) => {
    const known = judged.get(address)
    if (known !== undefined) return known
    if (judged.size >= MOST_JUDGED) judged.clear()
    const isProxy = judge(address)
    if (address.length <= LONGEST_ADDRESS) judged.set(address, isProxy)
    return isProxy
  }
}

const wholeAddress = (address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] => [
  address,
  address.kind() === 'ipv4' ? 32 : 128,
]

const INNER_RANGES = ['loopback', 'private', 'uniqueLocal']

/** A proxy that the operator forgot to name has all visitors count as one: better said, once, than found out by being refused. */
export function tellOfUnknownProxy(app: FastifyInstance, isProxy: (address: string) => boolean): void {
  let told = false
  const isForgotten = (address: string): boolean =>
    !isProxy(address) && ipaddr.isValid(address) && INNER_RANGES.includes(ipaddr.process(address).range())

  app.addHook('onRequest', (request, _reply, done) => {
    const { remoteAddress: address = '' } = request.socket
    if (told || request.headers['x-forwarded-for'] === undefined || !isForgotten(address)) return done()
    told = true
    request.log.warn(
      { address },
      'X-Forwarded-For of this address is not believed: if it is a proxy, name it in TRUST_PROXY',
    )
    done()
  })
}
