import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Publisher, type RtmpServer, startRtmpServer } from './nginx-rtmp.ts'

/** A time during which one connection brought the ingest something, by the steady clock. */
export type Stretch = { fromMs: number; toMs: number }
export type Session = { key: string; id: number; stretches: Stretch[] }

export type KeyVerdict = {
  key: string
  /** For how long two publishers sent to this key at once. */
  overlapMs: number
  /** The longest time that nobody sent. */
  gapMs: number
  /** How many publishers came. */
  arrivals: number
}

export type Referee = {
  rtmp: RtmpServer
  /** Begins a case: what was before counts no more. All that is on air now goes on. */
  begin(): void
  /** What happened since `begin` at these keys. */
  verdicts(keys: readonly string[]): KeyVerdict[]
  /** The ids of those that bring bytes to this key now. */
  sending(key: string): number[]
  close(): Promise<void>
}

const SAMPLE_EVERY_MS = 100
/** What ffmpeg sends comes in lumps: a pause as long as this is one. */
const SILENCE_MS = 1_500
const MARK = '~'

type Known = Session & { bytes: number; closedAt: number | null }

/**
 * An ingest that lets in everybody: nginx would refuse the second publisher of a name, and with it the sight of a double. It asks us at each
 * arrival, and we answer with a name that the connection has alone. From then on nginx counts the bytes of each.
 */
export async function openReferee(): Promise<Referee> {
  const sessions = new Map<number, Known>()
  let beganAt = performance.now()
  let sampledAt = beganAt

  const server = createServer(async (request, response) => {
    const now = performance.now()
    let body = ''
    for await (const piece of request) body += piece
    const told = new URLSearchParams(body)
    const [key, id] = [told.get('name') ?? '', Number(told.get('clientid'))]
    if (told.get('call') === 'publish_done') {
      const session = sessions.get(id)
      if (session) session.closedAt = now
      response.writeHead(200).end()
      return
    }
    sessions.set(id, { key, id, bytes: 0, closedAt: null, stretches: [{ fromMs: now, toMs: now }] })
    response.writeHead(302, { location: `${key}${MARK}${id}` }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const callUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const rtmp = await startRtmpServer({ onPublishUrl: callUrl, onPublishDoneUrl: callUrl })

  function note(publisher: Publisher, now: number): void {
    const session = sessions.get(publisher.id)
    if (!session || publisher.bytesIn === session.bytes) return
    session.bytes = publisher.bytesIn
    const last = session.stretches.at(-1)
    // What moved since our last look did so we do not know when: a look that comes late is no silence.
    if (last && sampledAt - last.toMs < SILENCE_MS) last.toMs = now
    else session.stretches.push({ fromMs: now, toMs: now })
  }
  let sampling = false
  async function sample(): Promise<void> {
    if (sampling) return
    sampling = true
    try {
      const publishers = await rtmp.publishers()
      const now = performance.now()
      for (const publisher of publishers) note(publisher, now)
      sampledAt = now
    } catch {
      // It does not answer at the moment: the next look sees it.
    } finally {
      sampling = false
    }
  }
  const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS)
  const of = (key: string): Session[] => [...sessions.values()].filter((each) => each.key === key).map(settled)

  return {
    rtmp,
    begin() {
      beganAt = performance.now()
      for (const { id, closedAt } of sessions.values()) if (closedAt !== null) sessions.delete(id)
    },
    verdicts: (keys) => keys.map((key) => judgeKey(key, of(key), { fromMs: beganAt, toMs: performance.now() })),
    sending(key) {
      const since = performance.now() - SILENCE_MS
      const open = [...sessions.values()].filter((each) => each.key === key && each.closedAt === null)
      return open.filter(({ stretches }) => (stretches.at(-1)?.toMs ?? 0) > since).map(({ id }) => id)
    },
    async close() {
      clearInterval(timer)
      await rtmp.stop()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A look comes late: where nginx told us of the end, that is when it was. */
function settled({ key, id, stretches, closedAt }: Known): Session {
  const last = stretches.at(-1)
  if (!last || closedAt === null || closedAt - last.toMs > SILENCE_MS) return { key, id, stretches }
  return { key, id, stretches: [...stretches.slice(0, -1), { fromMs: last.fromMs, toMs: closedAt }] }
}

/** What counts is when bytes came: a connection that only stands is nobody's picture. */
export function judgeKey(key: string, sessions: readonly Session[], window: Stretch): KeyVerdict {
  const clipped = sessions.map(({ stretches }) =>
    stretches
      .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, window.fromMs), toMs: Math.min(toMs, window.toMs) }))
      .filter(({ fromMs, toMs }) => toMs >= fromMs),
  )
  let overlapMs = 0
  for (const [index, mine] of clipped.entries()) {
    for (const theirs of clipped.slice(index + 1)) overlapMs += sharedMs(mine, theirs)
  }
  let [gapMs, onAirUntil] = [0, window.fromMs]
  for (const { fromMs, toMs } of clipped.flat().sort((a, b) => a.fromMs - b.fromMs)) {
    gapMs = Math.max(gapMs, fromMs - onAirUntil)
    onAirUntil = Math.max(onAirUntil, toMs)
  }
  gapMs = Math.max(gapMs, window.toMs - onAirUntil)
  const arrivals = sessions.filter(({ stretches }) => (stretches[0]?.fromMs ?? 0) > window.fromMs).length
  return { key, overlapMs, gapMs, arrivals }
}

function sharedMs(mine: readonly Stretch[], theirs: readonly Stretch[]): number {
  const pairs = mine.flatMap((a) => theirs.map((b) => Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs)))
  return pairs.reduce((sum, ms) => sum + Math.max(0, ms), 0)
}
