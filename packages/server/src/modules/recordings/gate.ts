import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { DomainError } from '../../errors.ts'

/** What somebody waits for in front of a player is short; a download may take hours. */
export type WorkKind = 'short' | 'long'

/** How its reader gets on with what a work brings, for it may have to give its place to others. */
export interface Reading {
  /** How much of it its reader has taken, and since when there is something to take; null: nothing yet. */
  bytes: number
  readSinceMs: number | null
  giveWay(): void
}

interface Running {
  readonly owner: string
  readonly kind: WorkKind
  readonly sinceMs: number
  readonly reading: Reading | undefined
}

interface Waiting {
  readonly kind: WorkKind
  begin(): void
}

/** Long ones leave room for others' and for the owner's own player. */
const MOST = { all: 6, each: 2, long: 4, longEach: 1 }
const MOST_WAITING_EACH = 12
const WAIT_MS = 15_000
/**
 * While somebody waits: a reader that takes less than a line of 1 Mbit/s brings gives way soon, and the slowest of the others after some time.
 * A download that was broken off can be resumed, and a player asks for its segment again.
 */
const GIVES_WAY = {
  bytesPerSecond: 128 * 1024,
  lookEveryMs: 5_000,
  short: { slowAfterMs: 4_000, afterMs: 9_000 },
  long: { slowAfterMs: 30_000, afterMs: 600_000 },
}

interface EnterOptions {
  readonly signal?: AbortSignal | undefined
  readonly isPatient?: boolean
  readonly reading?: Reading
}

export const busy = (code: 'rate_limited' | 'server_busy' = 'server_busy'): DomainError =>
  new DomainError(code, RECORDING_TEXTS.busy, { retryAfterSeconds: 5 })

export type Gate = ReturnType<typeof createGate>

/** How many ffmpegs work for recordings at once, in all and for each owner. Those that wait get in by turns: one owner after the other. */
export function createGate(most = MOST, waitMs = WAIT_MS, givesWay = GIVES_WAY) {
  const running: Running[] = []
  /** In the order in which the owners are next. */
  const waiting = new Map<string, Waiting[]>()

  const count = (owner: string | null, kind: WorkKind | null): number =>
    running.filter((each) => (owner ?? each.owner) === each.owner && (kind ?? each.kind) === each.kind).length

  const hasPlace = (owner: string, kind: WorkKind): boolean =>
    count(null, null) < most.all &&
    count(owner, null) < most.each &&
    (kind === 'short' || (count(null, 'long') < most.long && count(owner, 'long') < most.longEach))

  function take(owner: string, kind: WorkKind, reading: Reading | undefined): () => void {
    const place = { owner, kind, sinceMs: performance.now(), reading }
    running.push(place)
    return () => {
      const index = running.indexOf(place)
      if (index === -1) return
      running.splice(index, 1)
      letIn()
    }
  }

  /** For somebody who waits, where the place of another would help. */
  function makeWay(owner: string, kind: WorkKind): void {
    const isOwnFull = kind === 'long' && count(owner, 'long') >= most.longEach
    if (isOwnFull || count(owner, null) >= most.each || hasPlace(owner, kind)) return
    const isLongFull = kind === 'long' && count(null, 'long') >= most.long
    const others = isLongFull ? running.filter((each) => each.kind === 'long') : running
    const slowest = slowestOf(others, givesWay)
    if (!slowest) return
    moveBehind(waiting, slowest.owner)
    slowest.reading?.giveWay()
  }

  function letIn(): void {
    // First those who have least: one who has just given way waits again at once.
    const inOrder = [...waiting].toSorted(([one], [other]) => count(one, null) - count(other, null))
    for (const [owner, works] of inOrder) {
      const next = works.find(({ kind }) => hasPlace(owner, kind))
      if (!next) continue
      remove(owner, next)
      moveBehind(waiting, owner)
      next.begin()
    }
  }

  function remove(owner: string, work: Waiting): void {
    const left = (waiting.get(owner) ?? []).filter((each) => each !== work)
    if (left.length > 0) waiting.set(owner, left)
    else waiting.delete(owner)
  }

  const refusal = (owner: string): DomainError => busy(count(owner, null) > 0 ? 'rate_limited' : 'server_busy')

  return {
    /**
     * Returns what gives the place back. Refuses where none comes free in time, unless it is `isPatient`: nobody looks on. With the signal
     * it waits no longer.
     */
    async enter(
      owner: string,
      kind: WorkKind,
      { signal, isPatient = false, reading }: EnterOptions = {},
    ): Promise<() => void> {
      signal?.throwIfAborted()
      if (hasPlace(owner, kind)) return take(owner, kind, reading)
      const isOwnDownload = kind === 'long' && count(owner, 'long') >= most.longEach
      const isTooMany = isOwnDownload || (waiting.get(owner)?.length ?? 0) >= MOST_WAITING_EACH
      if (isTooMany && !isPatient) throw refusal(owner)
      return new Promise((resolve, reject) => {
        const giveUp = (error: unknown): void => {
          clearTimeout(timer)
          clearInterval(looking)
          signal?.removeEventListener('abort', onAbort)
          remove(owner, work)
          reject(error)
        }
        const looking = setInterval(() => makeWay(owner, kind), givesWay.lookEveryMs)
        const timer = isPatient ? undefined : setTimeout(() => giveUp(refusal(owner)), waitMs)
        const onAbort = (): void => giveUp(signal?.reason)
        const work: Waiting = {
          kind,
          begin() {
            clearTimeout(timer)
            clearInterval(looking)
            signal?.removeEventListener('abort', onAbort)
            resolve(take(owner, kind, reading))
          },
        }
        signal?.addEventListener('abort', onAbort)
        waiting.set(owner, [...(waiting.get(owner) ?? []), work])
      })
    },
  }
}

/** An owner, behind the others. */
function moveBehind<T>(waiting: Map<string, T>, owner: string): void {
  const works = waiting.get(owner)
  if (works === undefined) return
  waiting.delete(owner)
  waiting.set(owner, works)
}

/** The slowest of those that have to give way to others; null: none has to. A reader who has nothing to take yet is not slow. */
function slowestOf(running: readonly Running[], { bytesPerSecond, ...bounds }: typeof GIVES_WAY): Running | null {
  const slow = running.flatMap((each) => {
    const { kind, reading, sinceMs } = each
    if (!reading) return []
    const { slowAfterMs, afterMs } = bounds[kind]
    const ms = performance.now() - (reading.readSinceMs ?? sinceMs)
    const pace = reading.readSinceMs === null ? Number.MAX_VALUE : (reading.bytes * 1000) / ms
    return (pace < bytesPerSecond && ms >= slowAfterMs) || ms >= afterMs ? [{ each, pace }] : []
  })
  return slow.sort((one, other) => one.pace - other.pace)[0]?.each ?? null
}

/** Each piece is asked for when its reader has taken those before it. */
export async function* taken(bytes: AsyncGenerator<Buffer>, reading: Reading): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    reading.readSinceMs ??= performance.now()
    yield chunk
    reading.bytes += chunk.length
  }
}
