import { isIP, type LookupFunction } from 'node:net'
import { parseAddress } from '@siarin/contracts/parse-address'
import { isPublicAddress, literalAddress } from './address-guard.ts'
import { createNameLookup, type LastFound } from './name-lookup.ts'
import { createOwnAddresses } from './own-addresses.ts'

export interface EgressSettings {
  readonly allowPrivateNetwork: boolean
  /** Asked instead of the system's; empty: the system's. */
  readonly dnsServers: readonly string[]
  /** This machine as the world sees it: what listens there for itself alone would take us for a neighbour. */
  readonly own?: { readonly host: string | null; readonly addresses: readonly string[] }
  /** Which addresses are not somebody's inside. Tests have no others than those of this machine. */
  readonly isAllowed?: (address: string) => boolean
}

/** Why an address of somebody else's choosing is not reached. */
export type RefusalReason = 'invalid' | 'forbidden' | 'unknown-host'

export class EgressRefused extends Error {
  readonly why: RefusalReason

  constructor(why: RefusalReason, cause?: unknown) {
    super(`address refused: ${why}`, { cause })
    this.why = why
  }
}

export interface Guard {
  /** An address that may be fetched at all: of these schemes, without a password, with a host. Where it leads is judged by the others. */
  parse(text: string, schemes?: readonly string[]): URL
  /** Every address behind a name; refused when one of them is somebody's inside. Only these may be connected to. `own`: see `LastFound`. */
  resolve(host: string, own?: LastFound): Promise<readonly string[]>
}

/** Mail, remote shells, stores …: ports on which a request for a page is taken for something else. Those that browsers refuse, and two more. */
const NOT_HTTP = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211,
])

export function createGuard(settings: EgressSettings): Guard {
  const { allowPrivateNetwork, dnsServers, isAllowed = isPublicAddress } = settings
  const lookup = createNameLookup({ servers: dnsServers })
  const isOwn = createOwnAddresses({ ...settings.own, lookup })
  return {
    parse(text, schemes = ['http:', 'https:']) {
      const url = parseAddress(text)
      if (!url?.hostname || !schemes.includes(url.protocol) || url.username || url.password) {
        throw new EgressRefused('invalid')
      }
      // Nobody listens there.
      if (url.port === '0') throw new EgressRefused('invalid')
      if (!allowPrivateNetwork && NOT_HTTP.has(Number(url.port))) throw new EgressRefused('forbidden')
      return url
    },
    async resolve(host, own) {
      const literal = literalAddress(host)
      const addresses = literal ? [literal] : await lookup(host, own)
      if (addresses.length === 0) throw new EgressRefused('unknown-host')
      // One inner address among outer ones is enough: which of them is connected to is a matter of chance.
      if (!allowPrivateNetwork) {
        if (!addresses.every(isAllowed)) throw new EgressRefused('forbidden')
        if (await isOwn(addresses)) throw new EgressRefused('forbidden')
      }
      return addresses
    },
  }
}

/** The addresses that were judged are those that are connected to: nothing can change between the look and the use. */
export function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, answer) => {
    if (all) answer(null, found)
    else answer(null, found[0]?.address ?? '', found[0]?.family)
  }
}

/** Judges a name when a new connection is made. It is not asked about addresses that are written as numbers: those are judged before. */
export const judgingLookup =
  (guard: Pick<Guard, 'resolve'>): LookupFunction =>
  (host, options, answer) => {
    guard.resolve(host).then(
      (addresses) => lookupAmong(addresses)(host, options, answer),
      (error) => answer(error, ''),
    )
  }
