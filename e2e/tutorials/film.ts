import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CDPSession, Page } from '@playwright/test'

const VIDEOS = join(import.meta.dirname, '..', '..', 'packages', 'web', 'src', 'features', 'tutorial', 'videos')
const FRAMES = join(import.meta.dirname, '..', '.cache', 'frames')
const FRAMES_PER_SECOND = 20
/** The last picture stays for a while, so that the end does not come as a fright. */
const LAST_FRAME_SECONDS = 2

export type Step = { atSeconds: number; text: string }

type Frame = { file: string; at: number }

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

  const session = await page.context().newCDPSession(page)
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const file = join(folder, `${String(frames.length).padStart(5, '0')}.png`)
    frames.push({ file, at: metadata.timestamp ?? Date.now() / 1000 })
    writing.push(writeFile(file, Buffer.from(data, 'base64')))
    // The page may be gone already.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })

  return {
    /** From now on the caption says this. */
    step(text: string): void {
      steps.push({ at: Date.now() / 1000, text })
    },
    /** Cuts the film: video, poster, captions and the list of its steps. */
    async end(posterStep: number): Promise<void> {
      await stopScreencast(session)
      await Promise.all(writing)
      const [first] = frames
      if (!first) throw new Error('Chromium gave no picture.')
      const told = steps.map(({ at, text }): Step => ({ atSeconds: round(Math.max(0, at - first.at)), text }))
      const seconds = (frames.at(-1)?.at ?? first.at) - first.at + LAST_FRAME_SECONDS
      await mkdir(VIDEOS, { recursive: true })
      await encode(folder, frames, join(VIDEOS, name))
      await poster(join(VIDEOS, name), (told[posterStep]?.atSeconds ?? 0) + 1.5)
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
  promisify(execFile)(process.env['FFMPEG_PATH'] || 'ffmpeg', [
    '-nostdin',
    '-hide_banner',
    '-loglevel',
    'error',
    '-y',
    ...args,
  ])

/** Flat colours and text compress well: slow and small, since each visitor of the screen fetches it. */
async function encode(folder: string, frames: readonly Frame[], target: string): Promise<void> {
  const list = frames.map(({ file, at }, index) => {
    const until = frames[index + 1]?.at ?? at + LAST_FRAME_SECONDS
    return `file '${file}'\nduration ${Math.max(0.001, until - at).toFixed(3)}`
  })
  const listFile = join(folder, 'frames.txt')
  await writeFile(listFile, `ffconcat version 1.0\n${list.join('\n')}\n`)
  await ffmpeg(
    ...['-f', 'concat', '-safe', '0', '-i', listFile, '-vf', `fps=${FRAMES_PER_SECOND},format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', 'veryslow', '-tune', 'animation', '-crf', '30', '-g', '200'],
    ...['-an', '-movflags', '+faststart', `${target}.mp4`],
  )
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
