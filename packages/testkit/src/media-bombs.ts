import { readFile, writeFile } from 'node:fs/promises'
import { cachedClip } from './clips.ts'

/** Which boxes hold other boxes, of those that lead to a track's tables. */
const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts'])
const HEADER_BYTES = 8

type Rewrite = Readonly<Record<string, (payload: Buffer) => Buffer>>

const box = (type: string, payload: Buffer): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(HEADER_BYTES + payload.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, payload])
}

/** Each table is rewritten where it comes first: in the video's track. */
function rewritten(bytes: Buffer, rewrites: Rewrite, done = new Set<string>()): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + HEADER_BYTES)
    const payload = bytes.subarray(at + HEADER_BYTES, at + size)
    const rewrite = done.has(type) ? undefined : rewrites[type]
    if (PARENTS.has(type)) parts.push(box(type, rewritten(payload, rewrites, done)))
    else if (rewrite) parts.push(box(type, rewrite(payload)))
    else parts.push(bytes.subarray(at, at + size))
    if (rewrite) done.add(type)
    at += size
  }
  return Buffer.concat(parts)
}

/** A table of 32-bit numbers behind version and flags. */
const table = (...numbers: number[]): Buffer => {
  const payload = Buffer.alloc(4 + numbers.length * 4)
  for (const [index, number] of numbers.entries()) payload.writeUInt32BE(number, 4 + index * 4)
  return payload
}

/** Where the movie's and a track's headers have their clock and length, and an edit its length. */
const CLOCK_AT = 12
const DURATION_AT = 16
const DURATION_OF_EDIT_AT = 8
const MOVIE_CLOCK = 1000
const FPS = 25
const HUGE_SIDE = 16_000

const changed =
  (at: number, value: number) =>
  (old: Buffer): Buffer => {
    const payload = Buffer.from(old)
    payload.writeUInt32BE(value, at)
    return payload
  }

/** Its tables come after its media, so that they can change their size and the media stay where they are. */
async function bomb(file: string, rewrites: Rewrite): Promise<void> {
  const options = { seconds: 1, width: 160, height: 90, fps: FPS, extraArgs: ['-movflags', '0', '-bf', '0'] }
  await writeFile(file, rewritten(await readFile(await cachedClip('bomb.mp4', options)), rewrites))
}

/** A table of one line that stands for so many samples of a byte each: a program that reads it makes an index of them all. */
export const indexBomb = (file: string, samples = 40_000_000): Promise<void> =>
  bomb(file, {
    stsz: () => table(1, samples),
    stsc: () => table(1, 1, samples, 1),
    stco: (old) => table(1, old.readUInt32BE(8)),
    stts: () => table(1, samples, 1),
  })

/** The whole video again and again, by entries of twelve bytes. */
export const editListBomb = (file: string, entries = 20_000): Promise<void> =>
  bomb(file, {
    elst: (old) => Buffer.concat([table(entries), ...Array.from({ length: entries }, () => old.subarray(8, 20))]),
  })

/** A clip whose first frames lie so far apart: `frames` of its 25. */
export function sparseClip(file: string, secondsApart: number, frames = 2): Promise<void> {
  const seconds = frames * secondsApart + (FPS - frames) / FPS
  return bomb(file, {
    mvhd: changed(DURATION_AT, Math.round(seconds * MOVIE_CLOCK)),
    mdhd: (old) => changed(DURATION_AT, Math.round(seconds * FPS))(changed(CLOCK_AT, FPS)(old)),
    stts: () => table(2, frames, secondsApart * FPS, FPS - frames, 1),
    // Without it the edit list would hide what comes after its first second.
    elst: changed(DURATION_OF_EDIT_AT, Math.round(seconds * MOVIE_CLOCK)),
  })
}

/** Pictures of a few kilobytes that say they are 16,000 dots wide and high, from this one of 25 on. */
export async function hugePictures(file: string, from = 0): Promise<void> {
  const options = { seconds: 1, width: 160, height: 90, fps: FPS, videoCodec: 'png', audioCodec: null }
  const extraArgs = ['-pix_fmt', 'rgb24', '-movflags', '0']
  const bytes = Buffer.from(await readFile(await cachedClip('pictures.mov', { ...options, extraArgs })))
  let number = 0
  for (let at = bytes.indexOf('IHDR'); at !== -1; at = bytes.indexOf('IHDR', at + 4)) {
    if (number++ < from) continue
    bytes.writeUInt32BE(HUGE_SIDE, at + 4)
    bytes.writeUInt32BE(HUGE_SIDE, at + 8)
  }
  await writeFile(file, bytes)
}
