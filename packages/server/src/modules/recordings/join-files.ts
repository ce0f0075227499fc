import { Readable } from 'node:stream'
import { joinArgs } from '@siarin/media/argv/recording'
import type { Storage } from '../../platform/storage/storage.ts'
import { FileGoneError } from './file-facts.ts'
import { type AskedPart, areAlike, DOWNLOAD_LIMITS, etagOf, type Joined, type LikenessesOf } from './joined.ts'
import type { Make } from './make.ts'
import type { RecordingFile, RecordingRow } from './recordings.repo.ts'

interface JoinFilesDeps {
  readonly storage: Pick<Storage, 'open'>
  readonly make: Make
  readonly likenessesOf: LikenessesOf
}

/** Puts the files of an online source together as one. */
export function createJoinFiles({ storage, make, likenessesOf }: JoinFilesDeps) {
  async function* written(files: readonly RecordingFile[]): AsyncGenerator<Buffer> {
    for (const { key } of files) {
      const opened = await storage.open(key)
      if (!opened?.body) throw new FileGoneError('a file of a recording is gone')
      yield* opened.body
    }
  }

  /** Files of one session have one clock, so that they are one MPEG-TS behind each other. */
  async function ofFiles(
    row: RecordingRow,
    { files, seconds }: { files: readonly RecordingFile[]; seconds: number | null },
    signal: AbortSignal,
  ): Promise<Joined> {
    const firsts = files.filter(({ session }, index) => session !== files[index - 1]?.session)
    const likenesses = await likenessesOf(
      row.user_id,
      firsts.map(({ key }) => key),
      signal,
    )
    const isOne = areAlike(likenesses)
    const isAdts = [...likenesses.values()].some((likeness) => likeness.includes('codec_name=aac'))
    const args = joinArgs({ input: 'mpegts', format: 'mp4', clock: 0, seconds, isAdts })
    return {
      extension: isOne ? 'mp4' : 'ts',
      etag: etagOf(`${row.id} ${isOne} ${seconds} ${files.map(({ key }) => key).join()}`),
      bytes: (reading) =>
        isOne
          ? make(args, { ...DOWNLOAD_LIMITS, signal: reading, input: Readable.from(written(files)) })
          : written(files),
    }
  }

  return {
    /** Null: there is nothing in this part of it. */
    async of(
      row: RecordingRow,
      pages: AsyncIterable<readonly RecordingFile[]>,
      part: AskedPart,
      signal: AbortSignal,
    ): Promise<Joined | null> {
      const chosen = await chosenFiles(pages, part)
      return chosen.files.length > 0 ? ofFiles(row, chosen, signal) : null
    },
  }
}

/** Whole files: a part begins with the one in which it does. */
async function chosenFiles(pages: AsyncIterable<readonly RecordingFile[]>, { from, to }: AskedPart) {
  const files: RecordingFile[] = []
  let at = 0
  let begin = 0
  for await (const page of pages) {
    for (const file of page) {
      const end = at + file.ms / 1000
      if (end > from && (to === null || at < to)) {
        if (files.length === 0) begin = at
        files.push(file)
      }
      at = end
    }
  }
  return { files, seconds: to === null || to >= at ? null : to - begin }
}
