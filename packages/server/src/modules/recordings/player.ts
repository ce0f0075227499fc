import type { Readable } from 'node:stream'
import { segmentArgs } from '@siarin/media/argv/recording'
import { type Pin, type Storage, type StoredFile, storedFile } from '../../platform/storage/storage.ts'
import type { Gate } from './gate.ts'
import { begun, type Make, toBody } from './make.ts'
import { asGone, gone, type Material } from './material.ts'
import type { RecordingRow, RecordingsRepo } from './recordings.repo.ts'
import { hlsText, type Segment } from './segments.ts'

interface PlayerDeps {
  readonly material: Pick<Material, 'segmentsOf'>
  readonly repo: Pick<RecordingsRepo, 'fileOf'>
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

export type Player = ReturnType<typeof createPlayer>

export function createPlayer({ material, repo, storage, make, gate }: PlayerDeps) {
  async function bodyOf(owner: string, { key, cut }: Segment & { cut: object }): Promise<Readable> {
    const leave = await gate.enter(owner, 'short')
    const abort = new AbortController()
    let pin: Pin | undefined
    const end = (): void => {
      pin?.release()
      leave()
    }
    try {
      pin = await storage.pin(key).catch((error) => {
        throw gone(error)
      })
      const { path } = pin
      const made = make(segmentArgs({ ...(cut as NonNullable<Segment['cut']>), path }), {
        ...{ timeoutMs: SEGMENT_MS, priority: 'waited-for', signal: abort.signal },
      })
      return toBody(await begun(made).catch(asGone), { abort, stallMs: STALL_MS, onEnd: end })
    } catch (error) {
      end()
      throw error
    }
  }

  return {
    listOf: async (row: RecordingRow, query: string): Promise<string> =>
      hlsText(await material.segmentsOf(row), { isGrowing: row.to_at === null, query }),

    async segmentOf(row: RecordingRow, number: number, isHead: boolean): Promise<FoundSegment> {
      if (row.online === 1) {
        const file = await repo.fileOf(row.id, number)
        if (!file) throw gone()
        return { kind: 'file', file: storedFile(storage, file.key) }
      }
      let index = 0
      for (const segment of await material.segmentsOf(row)) {
        if (index++ < number) continue
        if (segment.cut === null) break
        return { kind: 'made', body: isHead ? null : await bodyOf(row.user_id, { ...segment, cut: segment.cut }) }
      }
      throw gone()
    },
  }
}
