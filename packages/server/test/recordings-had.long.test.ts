import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { beforeAll, describe, expect, it } from 'vitest'
import { SQLITE } from './support/databases.ts'
import { processed } from './support/program.ts'
import { CLIP_SECONDS, FPS, framesOf, lengthOf, recordingStage } from './support/recordings.ts'

const PASS = CLIP_SECONDS * FPS
/** Where a session was cut off, pictures that are shown between others may be missing or too many. */
const LOOSE = 4

/** Numbers of frames from one to another. */
const span = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index)

/** The rows say the same on each database: what is made of them is shown on one. */
describe('[REC-01] what is had of a recording', () => {
  const stage = recordingStage(SQLITE.open)
  let frames: string[]
  let made: Awaited<ReturnType<typeof stage.recorded>>
  beforeAll(async () => {
    frames = await framesOf(stage.clip)
    expect(new Set(frames).size).toBe(PASS)
    made = await stage.recorded()
  })

  /** What is sent of these, in order: each begins exactly, and ends where it was cut off. */
  const EXPECTED = [
    span(0, PASS),
    span(0, PASS),
    span(0, 32 * FPS - 2 * PASS),
    span(6 * FPS, 16 * FPS).map((n) => n % PASS),
  ]

  function expectFrames(sent: readonly string[]): void {
    const found = sent.map((hash) => frames.indexOf(hash))
    expect(found).not.toContain(-1)
    const parts: number[][] = []
    for (const [index, number] of found.entries()) {
      const before = found[index - 1]
      const isNext = before !== undefined && (number + PASS - before) % PASS <= LOOSE
      if (!isNext) parts.push([])
      parts.at(-1)?.push(number)
    }
    const [first = [], second = []] = parts
    expect(parts).toHaveLength(2)
    const passes = [...(EXPECTED[0] ?? []), ...(EXPECTED[1] ?? []), ...(EXPECTED[2] ?? [])]
    expect(Math.abs(first.length - passes.length)).toBeLessThanOrEqual(LOOSE)
    expect(first.slice(0, passes.length - LOOSE)).toEqual(passes.slice(0, -LOOSE))
    const last = EXPECTED[3] ?? []
    expect(Math.abs(second.length - last.length)).toBeLessThanOrEqual(LOOSE)
    expect(second.slice(0, last.length - LOOSE)).toEqual(last.slice(0, -LOOSE))
  }

  it('[REC-02] plays what was sent, frame by frame, and each piece lasts as long as it says', async () => {
    const { owner, recording } = made
    const path = `/${recording.recordingId}`
    const list = await owner.get(`${path}/index.m3u8`)
    expect([list.status, list.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl'])
    const text = await list.text()
    expect(text).toMatch(/^#EXTM3U\n[\s\S]*#EXT-X-PLAYLIST-TYPE:VOD\n[\s\S]*#EXT-X-ENDLIST\n$/)
    const lengths = [...text.matchAll(/#EXTINF:([\d.]+),\nsegment\/(\d+)\.ts\n/g)].map(([, seconds]) => Number(seconds))
    expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(4)
    const files: string[] = []
    for (const number of lengths.keys()) {
      const response = await owner.get(`${path}/segment/${number}.ts`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp2t'])
      files.push(await stage.saved(response, `${number}.ts`))
    }
    for (const [number, seconds] of (await Promise.all(files.map(lengthOf))).entries())
      expect(Math.abs(seconds - (lengths[number] ?? 0)), `segment ${number}`).toBeLessThan(0.15)
    expectFrames((await Promise.all(files.map(framesOf))).flat())
    expect((await owner.get(`${path}/segment/${lengths.length}.ts`)).status).toBe(404)
    expect((await owner.get(`${path}/segment/x.ts`)).status).toBe(400)
  })

  it('[REC-02] is had as one file, whole, resumed and in part', async () => {
    const { owner, recording } = made
    const path = `/${recording.recordingId}/file`
    const response = await owner.get(path)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Lofi malam \d{4}-.*\.mp4"/)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    const etag = response.headers.get('etag') ?? ''
    const whole = Buffer.from(await response.arrayBuffer())
    const file = await stage.saved(new Response(whole), 'whole.mp4')
    expectFrames(await framesOf(file))
    expect(await lengthOf(file)).toBeCloseTo(42, 0)

    const half = Math.floor(whole.length / 2)
    const rest = await owner.get(path, { range: `bytes=${half}-`, 'if-range': etag })
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes ${half}-${whole.length - 1}/${whole.length}`,
    ])
    expect(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(half))).toBe(true)
    const other = await owner.get(path, { range: `bytes=${half}-`, 'if-range': '"another"' })
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, whole.length])
    const beyond = await owner.get(path, { range: `bytes=${whole.length}-` })
    expect(beyond.status).toBe(416)

    const part = await owner.get(`${path}?from=15&to=20`)
    const cut = await framesOf(await stage.saved(part, 'part.mp4'))
    // From the key frame before on: there is one every two seconds.
    const from = frames.indexOf(cut[0] ?? '')
    expect(from % 50).toBe(0)
    expect(from).toBeGreaterThan((15 - CLIP_SECONDS) * FPS - 51)
    expect(from).toBeLessThanOrEqual((15 - CLIP_SECONDS) * FPS)
    expect(Math.abs(from + cut.length - (20 - CLIP_SECONDS) * FPS)).toBeLessThanOrEqual(LOOSE)
    for (const query of ['?from=5&to=4', '?from=-1', '?from=x', '?from=100', '?to=99999999']) {
      const refused = await owner.ask('GET', `/${recording.recordingId}/file${query}`)
      expect([refused.status, refused.body.message], query).toEqual([400, RECORDING_TEXTS.partInvalid])
    }
  })

  it('[REC-02] becomes a video of the library', async () => {
    const { owner, recording } = made
    const { status, body } = await owner.ask('POST', `/${recording.recordingId}/video`, {
      from: 10,
      to: 15,
      filename: 'Pilihan',
    })
    expect([status, body.message, body.video.filename, body.video.status]).toEqual([
      ...[200, RECORDING_TEXTS.used, 'Pilihan.mp4', 'processing'],
    ])
    const video = await processed(stage.program.url, owner.user.apiKey, 'Pilihan.mp4')
    expect([video.status, video.reason]).toEqual(['ready', null])
    expect(video.duration).toBeCloseTo(5, 0)
  })
})
