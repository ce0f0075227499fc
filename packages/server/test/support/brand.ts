import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Look } from '@siarin/contracts/branding'
import type { Rendition } from '@siarin/contracts/videos'
import { waitFor } from '@siarin/testkit/wait-for'
import { call, type TestProgram, videosOf } from './program.ts'

const run = promisify(execFile)
const FFMPEG = process.env['FFMPEG_PATH'] || 'ffmpeg'
const FFPROBE = process.env['FFPROBE_PATH'] || 'ffprobe'

/** One colour, with alpha. */
export async function makePng(width: number, height: number, colour = 'red@0.99'): Promise<Buffer> {
  const source = `color=${colour}:size=${width}x${height},format=rgba`
  const args = ['-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe', '-']
  return (await run(FFMPEG, args, { encoding: 'buffer', maxBuffer: 64 * 1024 ** 2 })).stdout
}

/** A picture of a video as RGB, or its pixels as they are. */
export async function pixelsOf(file: string, atSeconds: number, format = 'rgb24'): Promise<Buffer> {
  const args = [
    '-v',
    'error',
    '-ss',
    String(atSeconds),
    '-i',
    file,
    '-frames:v',
    '1',
    '-pix_fmt',
    format,
    '-f',
    'rawvideo',
    '-',
  ]
  return (await run(FFMPEG, args, { encoding: 'buffer', maxBuffer: 64 * 1024 ** 2 })).stdout
}

export async function sizeOf(file: string): Promise<string> {
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', file]
  return (await run(FFPROBE, args)).stdout.trim()
}

/** The calls of somebody who puts a brand on videos. */
export function brandCalls({ url, db, dataDir }: Pick<TestProgram, 'url' | 'db' | 'dataDir'>, apiKey: string) {
  const headers = { 'x-api-key': apiKey }
  const renditionsOf = async (name: string): Promise<Rendition[]> =>
    (await videosOf(url, apiKey)).find(({ filename }) => filename === name)?.renditions ?? []
  const order = (name: string, body: { look?: Partial<Look> | object; recipe?: string; preset?: string }) =>
    call(url, 'POST', `/fitur/video/rendition/${name}`, { body, headers })
  return {
    kit: () => call(url, 'GET', '/fitur/branding', { headers }),
    change: (body: object) => call(url, 'PUT', '/fitur/branding', { body, headers }),
    async putLogo(file: Buffer | string, type = 'image/png') {
      const body = new Blob([new Uint8Array(Buffer.from(file))])
      const response = await fetch(`${url}/fitur/branding/logo`, {
        ...{ method: 'PUT', body, headers: { ...headers, 'content-type': type } },
      })
      // biome-ignore lint/suspicious/noExplicitAny: the test asserts the shape
      return { status: response.status, headers: response.headers, body: (await response.json()) as any }
    },
    async logo() {
      const response = await fetch(`${url}/fitur/branding/logo`, { headers })
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        file: Buffer.from(await response.arrayBuffer()),
      }
    },
    removeLogo: () => call(url, 'DELETE', '/fitur/branding/logo', { headers }),
    order,
    remove: (name: string, recipe: string) =>
      call(url, 'DELETE', `/fitur/video/rendition/${name}?recipe=${encodeURIComponent(recipe)}`, { headers }),
    renditionsOf,
    /** Ordered, and waited for. Answers its recipe and the path of its file. */
    async made(name: string, body: Parameters<typeof order>[1]): Promise<{ recipe: string; file: string }> {
      const ordered = await order(name, body)
      if (ordered.status !== 200) throw new Error(`it was refused: ${ordered.status} ${ordered.body.message}`)
      const { recipe } = ordered.body.rendition
      // By the rows: each call counts against the plan.
      const key = await waitFor(`${recipe} to be made`, async () => {
        const made = await db
          .selectFrom('renditions')
          .select('key')
          .where('recipe', '=', recipe)
          .where('state', '=', 'ready')
          .executeTakeFirst()
        const order = await db
          .selectFrom('rendition_orders')
          .selectAll()
          .where('recipe', '=', recipe)
          .executeTakeFirst()
        if (order?.state === 'failed') throw new Error(`it was not made: ${order.reason}`)
        return made?.key
      })
      return { recipe, file: `${dataDir}/media/${key}` }
    },
  }
}
