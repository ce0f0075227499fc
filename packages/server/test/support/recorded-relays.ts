import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { Db } from '../../src/platform/db/database.ts'

const run = promisify(execFile)

/** Short pieces, taken at once. */
export const SHORT_PIECES = { recordingFiles: { pieceSeconds: 2, takeMs: 200, stillMs: 6_000 } }

/** The pieces of a broadcast's recordings, in their order. */
export const piecesOf = (db: Db, broadcastId: string) =>
  db
    .selectFrom('recording_files')
    .innerJoin('recordings', 'recordings.id', 'recording_files.recording_id')
    .select(['recording_id', 'recording_files.number', 'session', 'at', 'recording_files.ms', 'recording_files.bytes'])
    .select(['key', 'recordings.ended_why', 'recordings.ms as whole_ms', 'recordings.bytes as whole_bytes'])
    .where('broadcast_id', '=', broadcastId)
    .orderBy('recordings.number')
    .orderBy('recording_files.number')
    .execute()

/** Every file that a recorder has left outside of the storage. */
export async function leftPieces(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'recording'), { recursive: true }).catch(() => [])
  return names.filter((name) => name.endsWith('.ts'))
}

/** A mark for each picture, and for each packet of sound: by them they are known again in another container. */
export async function marksOf(...files: string[]): Promise<{ pictures: string[]; sounds: string[] }> {
  const [first = ''] = files
  const input = files.length > 1 ? `concat:${files.join('|')}` : first
  const isTs = first.endsWith('.ts')
  const marks = async (...args: string[]): Promise<string[]> => {
    const all = ['-v', 'error', '-i', input, ...args, '-f', 'framemd5', '-']
    const { stdout } = await run('ffmpeg', all, { maxBuffer: 64 * 1024 ** 2 })
    return stdout
      .split('\n')
      .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [line.split(',')[5]?.trim() ?? '']))
  }
  return {
    pictures: await marks('-map', '0:v', '-fps_mode', 'passthrough'),
    sounds: await marks('-map', '0:a', '-c', 'copy', ...(isTs ? ['-bsf:a', 'aac_adtstoasc'] : [])),
  }
}

/** Throws where a piece cannot be decoded from its beginning to its end. */
export async function assertPlays(file: string): Promise<void> {
  const { stderr } = await run('ffmpeg', ['-v', 'error', '-xerror', '-i', file, '-f', 'null', '-'])
  if (stderr !== '') throw new Error(`${file}: ${stderr}`)
  const { length } = await readFile(file)
  if (length === 0) throw new Error(`${file} is empty`)
}

/** Each once, in their order, and every one can be played. */
export async function assertSound(
  pieces: Awaited<ReturnType<typeof piecesOf>>,
  dataDir: string,
  finished = pieces.length,
): Promise<void> {
  expect(new Set(pieces.map(({ session, at }) => `${session} ${at}`)).size).toBe(pieces.length)
  expect(new Set(pieces.map(({ key }) => key)).size).toBe(pieces.length)
  for (const [index, { key, ms }] of pieces.entries()) {
    const file = join(dataDir, 'media', key)
    if (index < finished) await assertPlays(file)
    // A torn one ends in the midst of a picture.
    else expect((await marksOf(file)).pictures.length).toBeGreaterThan(ms / 80)
  }
}
