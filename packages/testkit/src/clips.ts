import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { linkOnce, madeOnce } from './made-once.ts'

export type ClipOptions = {
  /** A source of ffmpeg's lavfi, with options of its own if need be; without it a test picture. */
  picture?: string
  seconds?: number
  width?: number
  height?: number
  fps?: number
  videoCodec?: string
  /** null: a clip without sound. */
  audioCodec?: string | null
  /** So many times in a row, without encoding it again: for a long clip. Without a seam where picture and sound are as long, such as 3.2 s. */
  times?: number
  /** Placed last, so they win over what comes before. */
  extraArgs?: string[]
}

const SAMPLE_RATE = 48_000
const AAC_FRAME = 1024

/** Puts a small test picture with a tone there; the container follows from the file's extension. */
export async function makeClip(file: string, options: ClipOptions = {}): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await copyFile(await cachedClip(basename(file), options), file)
}

/** The path of such a clip with this file name, never to be changed. Each recipe is made once and kept for later runs. */
export async function cachedClip(name: string, { times = 1, ...options }: ClipOptions = {}): Promise<string> {
  const args = times === 1 ? clipArgs(name, options) : repeatArgs(name, await cachedClip(name, options), times)
  const { FFMPEG_PATH = '' } = process.env
  const make = (file: string) => promisify(execFile)(FFMPEG_PATH || 'ffmpeg', [...args, file])
  const made = await madeOnce(args, extname(name), make)
  const file = join(made.folder, name)
  if (!existsSync(file)) await linkOnce(made.file, file)
  return file
}

const QUIET = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y']
const isMp4 = (file: string): boolean => /\.(mp4|m4v|mov)$/i.test(file)

const repeatArgs = (name: string, file: string, times: number): string[] => [
  ...[...QUIET, '-stream_loop', String(times - 1), '-i', file, '-c', 'copy'],
  ...(isMp4(name) ? ['-movflags', '+faststart'] : []),
]

/** Everything but the output file's name. */
export function clipArgs(file: string, options: Omit<ClipOptions, 'times'> = {}): string[] {
  const { picture = 'testsrc2', seconds = 4, width = 320, height = 180, fps = 25 } = options
  const source = `${picture}${picture.includes('=') ? ':' : '='}size=${width}x${height}:rate=${fps}:duration=${seconds}`
  const { videoCodec = 'libx264', audioCodec = 'aac', extraArgs = [] } = options
  return [
    ...[...QUIET, '-f', 'lavfi', '-i', source],
    ...(audioCodec === null ? [] : ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${SAMPLE_RATE}`]),
    ...videoArgs(videoCodec, fps),
    ...(audioCodec === null ? [] : audioArgs(audioCodec, seconds)),
    ...(isMp4(file) ? ['-movflags', '+faststart'] : []),
    ...extraArgs,
  ]
}

const videoArgs = (codec: string, fps: number): string[] => [
  ...['-c:v', codec, '-pix_fmt', 'yuv420p', '-g', String(fps), '-keyint_min', String(fps)],
  ...(codec === 'libx264' || codec === 'libx265' ? ['-preset', 'ultrafast', '-sc_threshold', '0'] : []),
]

/**
 * The sound starts with the picture and ends inside it, so the clip can be looped as it is. An AAC encoder puts one
 * frame of priming in front: we leave out that much of the tone and move the packets back to zero.
 */
function audioArgs(codec: string, seconds: number): string[] {
  const samples = Math.floor((seconds * SAMPLE_RATE) / AAC_FRAME) * AAC_FRAME
  const aac = codec === 'aac'
  const trim = `atrim=start_sample=${aac ? AAC_FRAME : 0}:end_sample=${samples},asetpts=PTS-STARTPTS`
  const layout = ['-c:a', codec, '-ac', '2', '-b:a', '96k']
  return ['-af', trim, ...layout, ...(aac ? ['-bsf:a', `setts=ts=TS+${AAC_FRAME}`] : [])]
}
