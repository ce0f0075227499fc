import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { type Answer, decode, encode, RECURSION_DESIRED, TRUNCATED_RESPONSE } from 'dns-packet'

/** Addresses of either kind, or another name's. */
export type DnsAnswer = readonly string[] | { readonly cname: string }

export type DnsServer = {
  /** As Siarin's DNS_SERVERS takes it. */
  address: string
  /** How often a name has been asked for, of either kind. */
  asked(name: string): number
  stop(): Promise<void>
}

interface DnsServerOptions {
  /** Names that it never says anything about, or one kind of a name: `AAAA good.test`. */
  readonly silent?: readonly string[]
  readonly port?: number
  /** An answer that has more of them is cut there, and says so. */
  readonly mostRecords?: number
}

const NAME_ERROR = 3

/**
 * A name server of a test's own. A name with several answers gives the next one to each question of a kind, and the last of them from
 * then on: so does an attacker who lets a name lead elsewhere once it has been looked at.
 */
export async function startDnsServer(
  names: Record<string, readonly DnsAnswer[]>,
  { silent = [], port = 0, mostRecords = 100 }: DnsServerOptions = {},
): Promise<DnsServer> {
  const counts = new Map<string, number>()
  const socket = createSocket('udp4')

  function answersTo(name: string, type: 'A' | 'AAAA', turn: number): Answer[] | null {
    const turns = names[name]
    const answer = turns?.[Math.min(turn, turns.length - 1)]
    if (!answer) return null
    if ('cname' in answer) {
      return [{ type: 'CNAME', name, ttl: 0, data: answer.cname }, ...(answersTo(answer.cname, type, turn) ?? [])]
    }
    const ofType = answer.filter((address) => isIPv6(address) === (type === 'AAAA'))
    return ofType.map((data) => ({ type, name, ttl: 0, data }))
  }

  socket.on('message', (message, from) => {
    const { id = 0, questions = [] } = decode(message)
    const [question] = questions
    if (!question) return
    const name = question.name.toLowerCase()
    const type = question.type === 'AAAA' ? 'AAAA' : 'A'
    const turn = counts.get(`${type} ${name}`) ?? 0
    counts.set(`${type} ${name}`, turn + 1)
    if (silent.includes(name) || silent.includes(`${type} ${name}`)) return
    const answers = answersTo(name, type, turn)
    const isCut = answers !== null && answers.length > mostRecords
    const flags = RECURSION_DESIRED | (answers ? 0 : NAME_ERROR) | (isCut ? TRUNCATED_RESPONSE : 0)
    const sent = answers?.slice(0, mostRecords) ?? []
    socket.send(encode({ type: 'response', id, flags, questions, answers: sent }), from.port, from.address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')

  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: (name) => Math.max(counts.get(`A ${name}`) ?? 0, counts.get(`AAAA ${name}`) ?? 0),
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
