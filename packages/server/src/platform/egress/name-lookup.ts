import { lookup, Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTurns } from '../turns.ts'

export interface LookupOptions {
  /** The name is that of a broadcast's target: it waits for no other name. */
  readonly forTarget?: boolean
}

/** Every address behind a name; none when it cannot be found. */
export type NameLookup = (name: string, options?: LookupOptions) => Promise<readonly string[]>

type SystemLookup = (name: string) => Promise<readonly string[]>

const ANSWER_MS = 3_000
const TRIES = 2
const SYSTEM_ANSWER_MS = 4_000
/** Node looks up half as many names at once as it has threads, of which `npm start` gives it 16: so some are left for targets. */
const OTHERS_AT_ONCE = 5

/** Without servers of its own it asks as every program of this machine does, /etc/hosts first. Once per process, since the threads are. */
export function createNameLookup(servers: readonly string[]): NameLookup {
  if (servers.length === 0) return createPatientLookup(askSystem, SYSTEM_ANSWER_MS)
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES })
  resolver.setServers(servers)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

const askSystem: SystemLookup = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * The system's lookup cannot be given up: it holds a thread until it has an answer. So names that are slow, be it on purpose, may
 * hold a few only, and a caller that waits for one of them, or for a place, gives up in time.
 */
export function createPatientLookup(ask: SystemLookup, answerMs: number): NameLookup {
  const inTurn = createTurns(OTHERS_AT_ONCE)
  return async (name, { forTarget = false } = {}) => {
    const late = new AbortController()
    const found = (forTarget ? ask(name) : inTurn(() => ask(name), late.signal)).catch(() => [])
    const answer = await Promise.race([found, sleep(answerMs, [], { ref: false })])
    late.abort()
    return answer
  }
}
