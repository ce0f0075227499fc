import type { Readable } from 'node:stream'
import type { Clock } from '../../platform/clock.ts'
import { judgeRead, type ReadVerdict } from '../../platform/storage/judge-read.ts'
import type { StoredFile } from '../../platform/storage/storage.ts'
import { toBody } from '../../platform/to-body.ts'
import { busy, type Gate, type Reading, taken } from './gate.ts'
import type { Joined } from './joined.ts'
import { begun } from './make.ts'
import { asGone } from './material.ts'
import type { RecordingRow } from './recordings.repo.ts'

interface DownloadsDeps {
  readonly gate: Gate
  readonly clock: Clock
}

interface BodyOptions {
  readonly range?: { start: number; end: number }
  /** Nobody wants it any more. */
  readonly signal: AbortSignal
  readonly isPatient?: boolean
}

const STALL_MS = 120_000
const MOST_KNOWN = 1_000

export type Downloads = ReturnType<typeof createDownloads>

/** Files that are made while they are sent. How large one is is known once it was made: a resumed download makes it anew and leaves out what was had. */
export function createDownloads({ gate, clock }: DownloadsDeps) {
  const totals = createTotals()

  async function* counted(joined: Joined, signal: AbortSignal): AsyncGenerator<Buffer> {
    let bytes = 0
    try {
      for await (const chunk of joined.bytes(signal)) {
        bytes += chunk.length
        yield chunk
      }
    } catch (error) {
      asGone(error)
    }
    totals.remember(joined.etag, bytes)
  }

  async function count({ user_id }: RecordingRow, joined: Joined, asked: AbortSignal): Promise<number> {
    const abort = new AbortController()
    const signal = AbortSignal.any([asked, abort.signal])
    const reading: Reading = { bytes: 0, readSinceMs: null, giveWay: () => abort.abort(busy()) }
    const leave = await gate.enter(user_id, 'long', { signal, reading })
    // Nobody takes anything of it, so it gives way as soon as a slow reader does: a few who count again and again hold up no download.
    reading.readSinceMs = performance.now()
    try {
      // Read, and left where it is.
      for await (const _ of counted(joined, signal));
      return totals.of(joined.etag) ?? 0
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      leave()
    }
  }

  /** `isPatient`: nobody waits for it in front of a screen. */
  async function bodyOf(
    { user_id }: RecordingRow,
    joined: Joined,
    { range, signal, isPatient = false }: BodyOptions,
  ): Promise<Readable> {
    const abort = new AbortController()
    let body: Readable | undefined
    const reading: Reading = {
      bytes: 0,
      readSinceMs: null,
      giveWay: () => (body ? body.destroy(new Error('others wait for its place')) : abort.abort(busy())),
    }
    // One whose reader we are ourselves is never slow, and cannot be resumed.
    const leave = await gate.enter(user_id, 'long', { signal, isPatient, ...(!isPatient && { reading }) })
    const stop = (): void => abort.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const end = (): void => {
      signal.removeEventListener('abort', stop)
      leave()
    }
    try {
      const bytes = counted(joined, abort.signal)
      const made = await begun(taken(range ? between(bytes, range) : bytes, reading)).catch(asGone)
      body = toBody(made, { abort, stallMs: STALL_MS, onEnd: end })
      return body
    } catch (error) {
      end()
      abort.signal.throwIfAborted()
      abort.abort()
      throw error
    }
  }

  return {
    bodyOf,
    /** As a file whose size is known; null: it is not, and nobody has to know it. */
    async storedAs(
      row: RecordingRow,
      joined: Joined,
      { mustCount, signal }: { mustCount: boolean; signal: AbortSignal },
    ): Promise<Pick<StoredFile, 'head' | 'open'> | null> {
      const bytes = totals.of(joined.etag) ?? (mustCount ? await count(row, joined, signal).catch(asGone) : null)
      if (bytes === null) return null
      const facts = { bytes, etag: joined.etag, modifiedAt: new Date(row.to_at ?? clock.now()) }
      return {
        head: async () => facts,
        async open(conditions = {}) {
          const verdict = judgeRead(facts, conditions)
          return { facts, verdict, body: await bodyFor(row, joined, verdict, signal) }
        },
      }
    },
  }

  async function bodyFor(
    row: RecordingRow,
    joined: Joined,
    verdict: ReadVerdict,
    signal: AbortSignal,
  ): Promise<Readable | null> {
    if (verdict.kind === 'whole') return bodyOf(row, joined, { signal })
    return verdict.kind === 'part' ? bodyOf(row, joined, { range: verdict.range, signal }) : null
  }
}

function createTotals() {
  const totals = new Map<string, number>()
  return {
    of: (etag: string): number | undefined => totals.get(etag),
    remember(etag: string, bytes: number): void {
      totals.set(etag, bytes)
      const [oldest] = totals.keys()
      if (totals.size > MOST_KNOWN && oldest !== undefined) totals.delete(oldest)
    },
  }
}

/** Both ends belong to it. */
async function* between(
  bytes: AsyncGenerator<Buffer>,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of bytes) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
    at += chunk.length
    if (part.length > 0) yield part
    if (at > end) return
  }
}
