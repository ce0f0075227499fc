import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Page, Route } from '@playwright/test'

const FOLDER = join(import.meta.dirname, '..', '.cache', 'hls')
const TYPES: Record<string, string> = { '.m3u8': 'application/vnd.apple.mpegurl', '.ts': 'video/mp2t' }
const FPS = 10
export const SEGMENT_SECONDS = 2

/** Segments, their playlist `video.m3u8` and `master.m3u8`, made once; like an online broadcast that has ended. */
async function makeHls(seconds: number): Promise<string> {
  const folder = join(FOLDER, String(seconds))
  if (existsSync(folder)) return folder
  const making = `${folder}.${process.pid}`
  await mkdir(making, { recursive: true })
  const keyFrames = String(FPS * SEGMENT_SECONDS)
  await promisify(execFile)('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=320x180:r=${FPS}:d=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=f=440:d=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', keyFrames, '-keyint_min', keyFrames],
    ...['-c:a', 'aac', '-b:a', '64k', '-f', 'hls', '-hls_time', String(SEGMENT_SECONDS), '-hls_list_size', '0'],
    ...['-hls_playlist_type', 'vod', '-master_pl_name', 'master.m3u8', '-hls_segment_filename', `${making}/%d.ts`],
    `${making}/video.m3u8`,
  ])
  await rename(making, folder).catch(() => {})
  return folder
}

interface HlsOptions {
  seconds?: number
  /** Called before each answer; may give its own. */
  onFile?: (name: string, route: Route) => Promise<boolean>
  /** Changes what the master playlist says. */
  master?: (text: string) => string
}

export interface ServedHls {
  url: string
  /** The names that were asked for, in order. */
  readonly asked: string[]
}

/** Answers for a host of online broadcasts, under the page's own origin. */
export async function serveHls(page: Page, origin: string, options: HlsOptions = {}): Promise<ServedHls> {
  const folder = await makeHls(options.seconds ?? 12)
  const asked: string[] = []
  await page.route(`${origin}/online/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    asked.push(name)
    if (await options.onFile?.(name, route)) return
    const body = await readFile(join(folder, name))
    const changed = name === 'master.m3u8' && options.master ? options.master(body.toString()) : body
    await route.fulfill({ contentType: TYPES[extname(name)] ?? 'text/plain', body: changed })
  })
  return { url: `${origin}/online/master.m3u8`, asked }
}

interface OnlineStream {
  streamUrl?: string
  nickname: string
  isLive?: boolean
}

/** Answers in the server's place, in the shape of the specification: for what the server itself never says, and for players that need a source under control. */
export const serveBigo = (page: Page, streams: readonly OnlineStream[]): Promise<unknown> =>
  page.route('**/fitur/bigo/live', (route) =>
    route.fulfill({
      json: {
        success: true,
        message: '',
        data: streams.map((stream, index) => ({
          isLive: true,
          siteId: `s${index}`,
          account_id: `a${index}`,
          ...stream,
        })),
      },
    }),
  )
