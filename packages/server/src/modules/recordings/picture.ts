import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { thumbnailArgs } from '@siarin/media/argv/thumbnail'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import { KeyTakenError, type Storage, type StoredFile, storedFile, withPinned } from '../../platform/storage/storage.ts'
import type { LibraryService } from '../library/library.service.ts'
import { gone, type Material } from './material.ts'
import type { RecordingRow, RecordingsRepo } from './recordings.repo.ts'
import { folderOf } from './remove.ts'

interface PictureDeps {
  readonly repo: Pick<RecordingsRepo, 'fileOf' | 'setPicture'>
  readonly storage: Storage
  readonly library: Pick<LibraryService, 'findById' | 'thumbnail'>
  readonly material: Pick<Material, 'firstOf'>
  readonly ffmpegPath: string
}

const PICTURE_MS = 20_000

/** The picture of what was sent first. For an online source it is made once. */
export function createPicture({ repo, storage, library, material, ffmpegPath }: PictureDeps) {
  async function makeOf(row: RecordingRow): Promise<StoredFile> {
    const file = await repo.fileOf(row.id, 0)
    if (!file) throw gone()
    const folder = await mkdtemp(join(tmpdir(), 'siarin-picture-'))
    const key = `${folderOf(row)}picture.jpg`
    try {
      const output = join(folder, 'picture.jpg')
      const limits = { memoryBytes: readerMemoryBytes(), timeoutMs: PICTURE_MS, priority: 'waited-for' } as const
      await withPinned(storedFile(storage, file.key), (input) =>
        runBounded(ffmpegPath, thumbnailArgs({ input, atSeconds: 0, output }), { ...limits, maxBytes: 100_000 }),
      )
      await storage.put(key, output)
    } catch (error) {
      // Somebody else has made it meanwhile.
      if (!(error instanceof KeyTakenError)) throw gone(error)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    await repo.setPicture(row.id, key)
    return storedFile(storage, key)
  }

  return {
    /** Null: it has to be made. */
    async known(row: RecordingRow): Promise<StoredFile | null> {
      if (row.picture_key !== null) return storedFile(storage, row.picture_key)
      if (row.online === 1) return null
      const first = await material.firstOf(row)
      const video = first && (await library.findById(first.piece.videoId))
      if (!video) throw gone()
      return library.thumbnail(video)
    },
    makeOf,
  }
}
