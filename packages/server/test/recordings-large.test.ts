import type { RecordingAnswer, RecordingDetails } from '@siarin/contracts/recordings'
import { childrenOf } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from './support/databases.ts'
import { largeStage, type NewPiece } from './support/large-recordings.ts'

const HOUR_MS = 3_600_000
const TARGETS = 20
/** Cut every four seconds for twelve hours, or for two. */
const CUTS = isWholeRun ? 10_800 : 1_800
const VIDEOS = isWholeRun ? 510 : 30
const AT_ONCE = isWholeRun ? 60 : 20
/** What a turn of the event loop may take, and what a noisy machine may make of it. */
const BOUND_MS = 50
const ASSERTED_MS = 5 * BOUND_MS
const MOST_MEGABYTES = 300

/** Odd cuts overlap with those of other targets; between even ones nobody is on air. */
const cutAllTheTime = (at: number, target: number): NewPiece[] =>
  Array.from({ length: CUTS }, (_, number) => ({
    at: at + number * 4_000 + target * 190,
    ms: number % 2 === 1 ? 1_900 : 150,
    session: `s${number}`,
    reason: 'target-closed',
    from_ms: (number % 5) * 2_000,
  }))

describe.each(DATABASES)('[SAFE-07] very large recordings on $name', { timeout: 900_000 }, ({ open }) => {
  let stage: Awaited<ReturnType<typeof largeStage>>
  beforeAll(async () => {
    stage = await largeStage(open)
  }, 300_000)
  afterAll(() => stage?.close())

  /** The longest turn while something is done. */
  async function watched<T>(what: string, work: () => Promise<T>): Promise<T> {
    await stage.look()
    const result = await work()
    const { cpuMs, peakMb } = await stage.look()
    expect.soft(cpuMs, `${what} (bound: ${BOUND_MS} ms)`).toBeLessThan(ASSERTED_MS)
    expect.soft(peakMb, what).toBeLessThan(MOST_MEGABYTES)
    return result
  }

  const detailsOf = async (path: string): Promise<RecordingDetails> =>
    ((await (await stage.get(path)).json()) as RecordingAnswer).recording
  const textOf = async (path: string): Promise<string> => (await stage.get(path)).text()

  it(`of ${TARGETS} targets that are cut every four seconds hold nobody up`, async () => {
    const at = Date.now() - 20 * HOUR_MS
    const streams = await stage.broadcast(TARGETS, at - 1_000)
    const [id = ''] = streams
    for (const [target, stream] of streams.entries()) await stage.send(id, stream, cutAllTheTime(at, target))
    await stage.live(id, at + 1_000)
    const path = `/${(await stage.recordingOf(id, 'recording')).recordingId}`
    await watched('the list while it is being made', () => textOf(`${path}/index.m3u8`))
    const before = await watched('the details while it is being made', () => detailsOf(path))
    expect(before.parts.length).toBeLessThanOrEqual(300)

    const recording = await watched('Stop', async () => {
      await stage.end(id, at + CUTS * 4_000 + 8_000)
      return stage.recordingOf(id, 'ready')
    })
    // Twenty short pieces in every other cut, with nothing between them.
    expect(recording.interruptions).toBeGreaterThan(CUTS * 6)
    const details = await watched('the details', () => detailsOf(path))
    const folded = details.parts.reduce((sum, part) => sum + part.folded, 0)
    expect(details.parts).toHaveLength(300)
    expect(details.parts.length - 1 + folded).toBe(recording.interruptions)

    const text = await watched('the list', () => textOf(`${path}/index.m3u8`))
    const count = text.match(/#EXTINF/g)?.length ?? 0
    expect(count).toBeGreaterThan(10_000)
    expect(text.endsWith('#EXT-X-ENDLIST\n')).toBe(true)
    const texts = await watched(`${AT_ONCE} lists at once`, () =>
      Promise.all(Array.from({ length: AT_ONCE }, () => textOf(`${path}/index.m3u8?ticket=`))),
    )
    expect(new Set(texts.map((each) => each.length)).size).toBe(1)
    const segment = await watched('a segment', () => stage.get(`${path}/segment/${count - 1}.ts`))
    expect([segment.status, (await segment.arrayBuffer()).byteLength > 0]).toEqual([200, true])
    expect((await stage.get(`${path}/segment/${count}.ts`)).status).toBe(404)
    const file = await watched('a download', () => stage.get(`${path}/file?from=1000&to=1002`))
    expect([file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([200, true])
  })

  it('of a short loop for twelve hours are listed as they are sent', async () => {
    const at = Date.now() - 20 * HOUR_MS
    const [id = ''] = await stage.broadcast(1, at - 1_000)
    const list = JSON.stringify({ seconds: 4, startSeconds: 0, outpoint: 4, bodySeconds: null })
    await stage.send(id, id, [{ at, ms: 12 * HOUR_MS, list }])
    await stage.live(id, at + 1_000)
    await stage.end(id, at + 12 * HOUR_MS)
    const path = `/${(await stage.recordingOf(id, 'ready')).recordingId}/index.m3u8`
    // With those of the test before, less than an account may ask for in ten seconds.
    const texts = await watched('50 lists at once', () => Promise.all(Array.from({ length: 50 }, () => textOf(path))))
    for (const text of texts) expect(text.match(/#EXTINF:4.000000,/g)).toHaveLength(10_800)

    // How long the file is has to be counted first, and that takes long.
    const ffmpegs = async () =>
      (await childrenOf(stage.siarin.pid)).filter(({ args }) => args.includes('pipe:0')).length
    const file = path.replace('index.m3u8', 'file')
    const going = new AbortController()
    const abandoned = stage.get(file, going.signal, { range: 'bytes=0-0' }).catch(() => 'gone')
    await waitFor('the count to begin', async () => (await ffmpegs()) === 1)
    const refused = await stage.get(file)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    going.abort()
    expect(await abandoned).toBe('gone')
    await waitFor('its ffmpeg to be gone', async () => (await ffmpegs()) === 0)
    // The place is free once the program has seen the end of that ffmpeg.
    const again = await waitFor('a place', async () => {
      const answer = await stage.get(`${file}?to=1`)
      return answer.status !== 429 && answer
    })
    expect([again.status, (await again.arrayBuffer()).byteLength > 0]).toEqual([200, true])
  })

  it('are not asked for without end', async () => {
    const [{ recordingId }] = await stage.recordings()
    // No more than an account may have waiting: what is refused was counted, not sent away at the door.
    const ask = () => Promise.all(Array.from({ length: 60 }, () => stage.get(`/${recordingId}/segment/999999.ts`)))
    const first = [...(await ask()), ...(await ask())]
    expect(first.every(({ status }) => status === 404)).toBe(true)
    // Ten seconds may be over in the middle, and the count with them.
    let refused: Response | undefined
    for (let rounds = 0; !refused && rounds < 20; rounds++) refused = (await ask()).find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused?.json()).toMatchObject({ success: false, code: 'rate_limited' })
  })

  it(`of ${VIDEOS} videos ask each file once, and no more once nobody waits`, async () => {
    const at = Date.now() - 20 * HOUR_MS
    const [id = ''] = await stage.broadcast(1, at - 1_000)
    const pieces: NewPiece[] = []
    for (let video = 0; video < VIDEOS; video++) {
      const key = await stage.copyOfMaster(`salinan-${video}.mp4`)
      pieces.push({ at: at + video * 24_000, ms: 24_000, looping: 0, key, tail_key: null })
    }
    await stage.send(id, id, pieces)
    await stage.live(id, at + 1_000)
    await stage.end(id, at + VIDEOS * 24_000)
    const path = `/${(await stage.recordingOf(id, 'ready')).recordingId}`
    const probes = async () =>
      (await childrenOf(stage.siarin.pid)).filter(({ args }) => args.includes('salinan-')).length
    const known = async () =>
      (await stage.db.selectFrom('file_facts').select('key').where('key', 'like', '%salinan-%').execute()).length

    const going = new AbortController()
    const abandoned = stage.get(`${path}/index.m3u8`, going.signal).catch(() => 'gone')
    await waitFor('some files to be known', async () => (await known()) > 3, { timeoutMs: 60_000 })
    going.abort()
    expect(await abandoned).toBe('gone')
    await waitFor('nothing to be asked any more', async () => (await probes()) === 0)
    const left = await known()
    expect(left).toBeLessThan(VIDEOS)

    const text = await watched('the first list', () => textOf(`${path}/index.m3u8`))
    expect(text.match(/#EXTINF/g)?.length).toBeGreaterThanOrEqual(VIDEOS * 2)
    expect(await known()).toBe(VIDEOS)
    const began = performance.now()
    await watched('the second list', () => textOf(`${path}/index.m3u8`))
    await watched('a segment of the last one', async () =>
      (await stage.get(`${path}/segment/${VIDEOS}.ts`)).arrayBuffer(),
    )
    // Not one file is asked again: that would take minutes.
    expect(performance.now() - began).toBeLessThan(5 * 3_000)
  })
})
