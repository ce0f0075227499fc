import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBoundedMap } from '../bounded-map.ts'
import { createFairTurns } from '../fair-turns.ts'
import { presentOwner } from '../on-behalf-of.ts'
import { type Answer, createNameServers } from './ask-name-servers.ts'

/** Every address behind a name; none when it cannot be found. */
export type NameLookup = (name: string, own?: LastFound) => Promise<readonly string[]>

/** Where names led when they were last found. A caller who keeps its own is not pushed out of it by the names of others. */
export interface LastFound {
  get(name: string): readonly string[] | undefined
  set(name: string, addresses: readonly string[]): void
  delete(name: string): void
}

export interface NameLookupOptions {
  /** Asked instead of the machine's own; empty: those, and what the machine itself knows before them. */
  readonly servers: readonly string[]
  readonly hostsFile?: string
  readonly answerMs?: number
  /** What the machine itself knows. */
  readonly system?: (name: string) => Promise<Answer>
}

const ANSWER_MS = 4_000
/** Once one kind of address is known, the other is not waited for any longer: some servers never answer for one of them. */
const OTHER_KIND_MS = 300
const NAMES_KEPT = 1_000
/** Each takes a thread of the program for as long as the system waits. */
const SYSTEM_LOOKUPS = { atOnce: 2, mostWaiting: 1_000, mostWaitingEach: 100 }

/**
 * A name whose server is silent, be it on purpose, holds up no other: each question is a packet of its own. The system's own lookup would
 * hold one of a few threads for as long as the silence lasts, so it is asked only for names that no server elsewhere decides about.
 * A name that nobody answers for at the moment leads where it last led: a broadcast has to find its platform again at any time.
 */
export function createNameLookup({
  servers,
  hostsFile = '/etc/hosts',
  answerMs = ANSWER_MS,
  system = askSystem,
}: NameLookupOptions): NameLookup {
  const askServers = createServerLookup(servers)
  const inTurn = createFairTurns(SYSTEM_LOOKUPS)
  const lastFound = createBoundedMap<readonly string[]>(NAMES_KEPT)

  async function ask(name: string): Promise<Answer> {
    const endMs = performance.now() + answerMs
    if (servers.length > 0) return askServers(name, endMs)
    const written = await hostsOf(hostsFile, name)
    if (written.length > 0) return written
    if (!isOfThisNetwork(name)) return askServers(name, endMs)
    const signal = AbortSignal.timeout(answerMs)
    return inTurn(presentOwner() ?? name, () => system(name), { signal }).catch(() => null)
  }

  return async (name, own) => {
    const answer = await Promise.race([ask(name), sleep(answerMs, null, { ref: false })])
    if (answer === null) return own?.get(name) ?? lastFound.get(name) ?? []
    for (const known of own ? [own, lastFound] : [lastFound]) {
      if (answer.length > 0) known.set(name, answer)
      else known.delete(name)
    }
    return answer
  }
}

/** Names of the machine's own network, which its search list or neighbours may know. */
const isOfThisNetwork = (name: string): boolean => !name.includes('.') || /\.local\.?$/i.test(name)

async function askSystem(name: string): Promise<Answer> {
  try {
    return (await lookup(name, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

async function hostsOf(hostsFile: string, name: string): Promise<readonly string[]> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '')
  const wanted = name.toLowerCase().replace(/\.$/, '')
  return text.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return address && names.includes(wanted) ? [address] : []
  })
}

function createServerLookup(servers: readonly string[]) {
  const ask = createNameServers(servers)

  return async (name: string, endMs: number): Promise<Answer> => {
    const kinds = [ask(name, 'A', endMs), ask(name, 'AAAA', endMs)]
    const both = Promise.all(kinds)
    const first = await Promise.race(kinds)
    const answers = first?.length ? [first, ...((await soon(both)) ?? [])] : await both
    const addresses = [...new Set(answers.flatMap((answer) => answer ?? []))]
    return addresses.length === 0 && answers.includes(null) ? null : addresses
  }
}

const soon = <T>(work: Promise<T>): Promise<T | null> =>
  Promise.race([work, sleep(OTHER_KIND_MS, null, { ref: false })])
