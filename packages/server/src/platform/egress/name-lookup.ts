import { lookup, Resolver } from 'node:dns/promises'

/** Every address behind a name; none when it cannot be found. */
export type NameLookup = (name: string) => Promise<readonly string[]>

const ANSWER_MS = 3_000
const TRIES = 2

/** Without servers of its own it asks as every program of this machine does, /etc/hosts first. */
export function createNameLookup(servers: readonly string[]): NameLookup {
  if (servers.length === 0) {
    return async (name) => (await lookup(name, { all: true }).catch(() => [])).map(({ address }) => address)
  }
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES })
  resolver.setServers(servers)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
