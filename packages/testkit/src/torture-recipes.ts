import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { madeOnce } from './made-once.ts'

export interface Recipe {
  file: string
  make(folder: string): Promise<string>
}

/** Arguments in strings of several, parted by spaces; an absolute path is one argument. */
export async function ffmpeg(...args: string[]): Promise<void> {
  const { FFMPEG_PATH = '' } = process.env
  const words = args.flatMap((text) => (text.startsWith('/') ? [text] : text.split(' ').filter((word) => word !== '')))
  const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y']
  await promisify(execFile)(FFMPEG_PATH || 'ffmpeg', [...quiet, ...words])
}

export const made = (file: string, ...args: string[]): Recipe => ({
  file,
  async make(folder) {
    await mkdir(folder, { recursive: true })
    const path = join(folder, file)
    // Some codecs take seconds to make.
    const once = await madeOnce(args, extname(file), (made) => ffmpeg(...args, made))
    await copyFile(once.file, path)
    return path
  },
})

export const written = (file: string, content: string | Buffer): Recipe => ({
  file,
  async make(folder) {
    await mkdir(folder, { recursive: true })
    const path = join(folder, file)
    await writeFile(path, content)
    return path
  },
})

/** Made out of another file, which nobody sees. */
export const changed = (
  file: string,
  from: Recipe,
  change: (source: string, path: string) => Promise<void>,
): Recipe => ({
  file,
  async make(folder) {
    await mkdir(folder, { recursive: true })
    const path = join(folder, file)
    const workshop = await mkdtemp(join(folder, '.making-'))
    await change(await from.make(workshop), path).finally(() => rm(workshop, { recursive: true }))
    return path
  },
})

export const cutTo = (share: number) => async (source: string, path: string) => {
  const whole = await readFile(source)
  await writeFile(path, whole.subarray(0, Math.floor(whole.length * share)))
}

/** Where the matrix stands in the header of an MP4's track, counted from the header's name. */
const MATRIX_OFFSET = 44
const QUARTER_TURN = [0, 0x10000, 0, -0x10000, 0]

/** Written by hand, since each version of ffmpeg has its own way to be asked for it. The picture is the first track. */
export async function turned(source: string, path: string): Promise<void> {
  const file = await readFile(source)
  const matrix = file.indexOf('tkhd') + MATRIX_OFFSET
  for (const [i, value] of QUARTER_TURN.entries()) file.writeInt32BE(value, matrix + i * 4)
  await writeFile(path, file)
}

/** How many samples of nothing Apple's encoder puts in front; ffmpeg's puts one packet there. */
const APPLE_PRIMING = 2112
/** Where an edit list says where its track begins, counted from the list's name. */
const MEDIA_TIME_OFFSET = 16

/** With the sound that Apple's encoder would have written. The sound is the last track. */
export async function primed(source: string, path: string): Promise<void> {
  const file = await readFile(source)
  file.writeInt32BE(APPLE_PRIMING, file.lastIndexOf('elst') + MEDIA_TIME_OFFSET)
  await writeFile(path, file)
}
