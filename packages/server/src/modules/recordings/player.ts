import type { Readable } from 'node:stream'
import { segmentArgs } from '@siarin/media/argv/recording'
import { createBoundedMap } from '../../platform/bounded-map.ts'
import type { SmallSteps } from '../../platform/small-steps.ts'
import { type Pin, type Storage, type StoredFile, storedFile } from '../../platform/storage/storage.ts'
import { toBody } from '../../platform/to-body.ts'
import type { Cutter } from './cutter.ts'
import { busy, type Gate, type Reading, taken } from './gate.ts'
import { filesHlsText, hlsText, type MadeEntries } from './hls.ts'
import { chunkAt, type Line, readChunk } from './line.ts'
import type { Lines } from './lines.ts'
import { begun, type Make } from './make.ts'
import { asGone, gone, type Material } from './material.ts'
import type { RecordingRow, RecordingsRepo } from './recordings.repo.ts'
import { type Segment, segmentAt, segmentRuns } from './segments.ts'

interface PlayerDeps {
  readonly lines: Pick<Lines, 'of'>
  readonly cutter: Pick<Cutter, 'gridsOf'>
  readonly material: Pick<Material, 'filesOf'>
  readonly repo: Pick<RecordingsRepo, 'fileOf'>
  readonly steps: SmallSteps
  readonly storage: Storage
  readonly make: Make
  readonly gate: Gate
}

type FoundSegment =
  | { readonly kind: 'file'; readonly file: StoredFile }
  /** Null: nobody wants to read it. */
  | { readonly kind: 'made'; readonly body: Readable | null }

const SEGMENT_MS = 60_000
const STALL_MS = 30_000
/** A list is read at once. What it says of a large recording takes the server a moment. */
const LIST = { stallMs: 120_000, highWaterMark: 64 * 1024 }
/** Chunks whose entries are kept, some 20 kB each. A recording has at most 180 of them. */
const MOST_MADE = 400

export type Player = ReturnType<typeof createPlayer>

export function createPlayer({ lines, cutter, material, repo, steps, storage, make, gate }: PlayerDeps) {
  const entries = createEntriesOfReaders()

  async function bodyOf(owner: string, { key, cut }: Segment, signal: AbortSignal): Promise<Readable> {
    const abort = new AbortController()
    let body: Readable | undefined
    const reading: Reading = {
      bytes: 0,
      readSinceMs: null,
      giveWay: () => (body ? body.destroy(new Error('others wait for its place')) : abort.abort(busy())),
    }
    const leave = await gate.enter(owner, 'short', { signal, reading })
    const stop = (): void => abort.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    let pin: Pin | undefined
    const end = (): void => {
      signal.removeEventListener('abort', stop)
      pin?.release()
      leave()
    }
    try {
      pin = await storage.pin(key).catch((error) => {
        throw gone(error)
      })
      const { path } = pin
      const made = make(segmentArgs({ ...cut, path }), {
        ...{ timeoutMs: SEGMENT_MS, priority: 'waited-for', signal: abort.signal },
      })
      body = toBody(await begun(taken(made, reading)).catch(asGone), { abort, stallMs: STALL_MS, onEnd: end })
      return body
    } catch (error) {
      end()
      abort.signal.throwIfAborted()
      throw error
    }
  }

  /** One chunk of the time line is read, and what is known of one clip. */
  async function cutOf(row: RecordingRow, number: number, signal: AbortSignal): Promise<Segment | null> {
    const owner = row.user_id
    const line = await lines.of(row, signal)
    const found = chunkAt(line, ({ segment }) => segment > number)
    if (!found) return null
    const step = steps.of(owner)
    await step(signal)
    let left = number - found.place.segment
    for (const cut of readChunk(await line.bodyOf(found.number))) {
      if (left >= cut.segments) {
        left -= cut.segments
        continue
      }
      const work = { owner, step, signal }
      const segment = segmentAt(segmentRuns(cut, await cutter.gridsOf(cut.clip, work)), left)
      if (!segment?.isOpen) return segment
      // Where to end one that was cut off is told by the first key frame of its file.
      return segmentAt(segmentRuns(cut, await cutter.gridsOf(cut.clip, work, (key) => key === segment.key)), left)
    }
    return null
  }

  return {
    async listOf(row: RecordingRow, query: string, signal: AbortSignal): Promise<Readable> {
      const isGrowing = row.to_at === null
      const owner = row.user_id
      if (row.online === 1)
        return toBody(
          filesHlsText(() => material.filesOf(row, signal), { isGrowing, query }),
          LIST,
        )
      const line = await lines.of(row, signal).catch(asGone)
      const step = steps.of(owner)
      const text = hlsText(line, ({ clip }) => cutter.gridsOf(clip, { owner, step, signal }), {
        ...{ isGrowing, query, step, signal, made: isGrowing ? null : entries.of(row.id, line) },
      })
      return toBody(text, { ...LIST, onEnd: entries.beginReading() })
    },

    async segmentOf(row: RecordingRow, number: number, isHead: boolean, signal: AbortSignal): Promise<FoundSegment> {
      if (row.online === 1) {
        const file = await repo.fileOf(row.id, number)
        if (!file) throw gone()
        return { kind: 'file', file: storedFile(storage, file.key) }
      }
      const segment = await cutOf(row, number, signal).catch(asGone)
      if (!segment) throw gone()
      return { kind: 'made', body: isHead ? null : await bodyOf(row.user_id, segment, signal) }
    },
  }
}

/** Entries of lists for those who read them at the same time. Nothing is kept once nobody does. */
function createEntriesOfReaders() {
  const made = createBoundedMap<readonly string[]>(MOST_MADE)
  let readers = 0
  return {
    /** What a time line says is the same as long as it is as long. */
    of: (id: string, { ms, segments }: Line): MadeEntries => ({
      get: (chunk) => made.get(`${id} ${ms} ${segments} ${chunk}`),
      set: (chunk, entries) => made.set(`${id} ${ms} ${segments} ${chunk}`, entries),
    }),
    /** Returns what ends it. */
    beginReading(): () => void {
      readers++
      return () => {
        if (--readers === 0) made.clear()
      }
    },
  }
}
