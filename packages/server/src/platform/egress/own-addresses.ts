import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { literalAddress } from './address-guard.ts'
import type { NameLookup } from './name-lookup.ts'

interface OwnAddressesDeps {
  /** The host of PUBLIC_URL: behind a router the machine does not have its public address itself. */
  readonly host?: string | null
  /** Those of other machines, or our own where PUBLIC_URL leads to a proxy elsewhere. */
  readonly addresses?: readonly string[]
  readonly lookup: NameLookup
  readonly interfaces?: typeof networkInterfaces
}

/** Names and interfaces change, and are asked for with every address of somebody else's choosing. */
const KEPT_MS = 60_000

const plain = (address: string): string => ipaddr.process(address.replace(/%.*$/, '')).toString()

/** Whether one of some addresses is this machine's own, however public it is. */
export function createOwnAddresses({ host, addresses = [], lookup, interfaces = networkInterfaces }: OwnAddressesDeps) {
  let lastNamed: readonly string[] = []
  let known: { own: Promise<ReadonlySet<string>>; until: number } | null = null

  /** An empty answer, say of a name server that is busy, takes back nothing that was known. */
  async function findNamed(name: string): Promise<readonly string[]> {
    const found = await lookup(name)
    if (found.length > 0) lastNamed = found
    return lastNamed
  }

  async function find(): Promise<ReadonlySet<string>> {
    const literal = host ? literalAddress(host) : null
    const named = host && !literal ? await findNamed(host) : [literal ?? []].flat()
    // Loopback is nobody's public address; it is judged elsewhere.
    const local = Object.values(interfaces()).flatMap((list) => (list ?? []).filter(({ internal }) => !internal))
    return new Set([...addresses, ...named, ...local.map(({ address }) => address)].map(plain))
  }

  return async (asked: readonly string[]): Promise<boolean> => {
    const now = performance.now()
    if (!known || now >= known.until) known = { own: find(), until: now + KEPT_MS }
    const own = await known.own
    return asked.some((address) => own.has(plain(address)))
  }
}
