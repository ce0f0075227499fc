import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { CDPSession, Page } from '@playwright/test'

const VIDEOS = join(import.meta.dirname, '..', '..', 'packages', 'web', 'src', 'features', 'tutorial', 'videos')
const FRAMES = join(import.meta.dirname, '..', '.cache', 'frames')
const FFMPEG = process.env['FFMPEG_PATH'] || 'ffmpeg'
const FRAMES_PER_SECOND = 20
/** The last picture stays for a while, so that the end does not come as a fright. */
const LAST_FRAME_SECONDS = 2

export type Step = { atSeconds: number; text: string }

/** The picture that stands for the film until it is played. */
export type PosterAt = { step: number; afterSeconds: number }

type Frame = { file: string; at: number }
/** A stretch of waiting, in the time of the recording. */
type Wait = { from: number; until: number }

/** However long something takes, on film it takes no longer. */
const LONGEST_WAIT_SECONDS = 3

/** When on film something happens that happened at this moment of the recording. */
function filmTime(at: number, start: number, waits: readonly Wait[]): number {
  const left = waits.map(({ from, until }) => {
    const length = until - from
    const passed = Math.min(Math.max(at - from, 0), length)
    return length > LONGEST_WAIT_SECONDS ? passed * (1 - LONGEST_WAIT_SECONDS / length) : 0
  })
  return Math.max(0, at - start - left.reduce((sum, seconds) => sum + seconds, 0))
}

/**
 * Films a page. Not Playwright's own recording: that needs an ffmpeg of its own to be downloaded, and compresses twice. Chromium hands
 * out a picture whenever something changed, with the time at which it did.
 */
export async function startFilm(page: Page, name: string) {
  const folder = join(FRAMES, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const frames: Frame[] = []
  const writing: Promise<void>[] = []
  const steps: { at: number; text: string }[] = []
  const waits: Wait[] = []

  const session = await page.context().newCDPSession(page)
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(folder, `${String(frames.length).padStart(5, '0')}.jpg`)
    frames.push({ file, at: metadata.timestamp ?? Date.now() / 1000 })
    writing.push(writeFile(file, Buffer.from(data, 'base64')))
    // The page may be gone already.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  // A third of its 60 pictures in a second: every one of them costs time that the program itself needs.
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 95, everyNthFrame: 3 })

  return {
    /** From now on the caption says this. */
    step(text: string): void {
      steps.push({ at: Date.now() / 1000, text })
    },
    /** Shows in a few seconds what may take long. */
    async shorten(waiting: () => Promise<unknown>): Promise<void> {
      const from = Date.now() / 1000
      await waiting()
      waits.push({ from, until: Date.now() / 1000 })
    },
    /** Cuts the film: video, poster, captions and the list of its steps. */
    async end(posterAt: PosterAt): Promise<void> {
      await stopScreencast(session)
      await Promise.all(writing)
      const [first] = frames
      if (!first) throw new Error('Chromium gave no picture.')
      const onFilm = (at: number): number => filmTime(at, first.at, waits)
      const shots = frames.map(({ file, at }) => ({ file, at: onFilm(at) }))
      const told = steps.map(({ at, text }): Step => ({ atSeconds: round(onFilm(at)), text }))
      const seconds = (shots.at(-1)?.at ?? 0) + LAST_FRAME_SECONDS
      await mkdir(VIDEOS, { recursive: true })
      await encode(shots, seconds, join(VIDEOS, name))
      await poster(join(VIDEOS, name), (told[posterAt.step]?.atSeconds ?? 0) + posterAt.afterSeconds)
      await writeFile(join(VIDEOS, `${name}.vtt`), captions(told, seconds))
      await writeFile(
        join(VIDEOS, `${name}.json`),
        `${JSON.stringify({ seconds: round(seconds), steps: told }, null, 2)}\n`,
      )
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Film = Awaited<ReturnType<typeof startFilm>>

async function stopScreencast(session: CDPSession): Promise<void> {
  await session.send('Page.stopScreencast')
  await session.detach()
}

const ffmpeg = (...args: string[]) =>
  promisify(execFile)(FFMPEG, ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...args])

/** One picture for each tick of the film's clock: what stood on the screen at that moment. Flat colours and text compress well. */
async function encode(frames: readonly Frame[], seconds: number, target: string): Promise<void> {
  const encoder = spawn(FFMPEG, [
    ...['-hide_banner', '-loglevel', 'error', '-y'],
    ...['-f', 'image2pipe', '-framerate', String(FRAMES_PER_SECOND), '-c:v', 'mjpeg', '-i', 'pipe:0'],
    ...['-c:v', 'libx264', '-preset', 'slow', '-tune', 'animation', '-crf', '30', '-g', '200', '-pix_fmt', 'yuv420p'],
    ...['-an', '-movflags', '+faststart', `${target}.mp4`],
  ])
  const ended = once(encoder, 'close')
  let shown = 0
  let picture = await readFile(frames[0]?.file ?? '')
  for (let tick = 0; tick < seconds * FRAMES_PER_SECOND; tick += 1) {
    const before = shown
    while ((frames[shown + 1]?.at ?? Number.POSITIVE_INFINITY) <= tick / FRAMES_PER_SECOND) shown += 1
    if (shown !== before) picture = await readFile(frames[shown]?.file ?? '')
    if (!encoder.stdin.write(picture)) await once(encoder.stdin, 'drain')
  }
  encoder.stdin.end()
  const [code] = await ended
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${await text(encoder.stderr)}`)
}

const poster = (target: string, atSeconds: number) =>
  ffmpeg('-ss', String(atSeconds), '-i', `${target}.mp4`, '-frames:v', '1', '-quality', '70', `${target}.webp`)

const round = (seconds: number): number => Math.round(seconds * 10) / 10

/** WebVTT: the same words as on the picture, for those who cannot see it. */
function captions(steps: readonly Step[], endSeconds: number): string {
  const cues = steps.map(({ atSeconds, text }, index) => {
    const until = steps[index + 1]?.atSeconds ?? endSeconds
    return `${timecode(atSeconds)} --> ${timecode(until)}\n${text}\n`
  })
  return `WEBVTT\n\n${cues.join('\n')}`
}

const timecode = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23)
