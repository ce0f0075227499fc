import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { cachedClip } from '@siarin/testkit/clips'
import { childrenOf } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { DATABASES } from './support/databases.ts'
import { processed, uploadVideo } from './support/program.ts'
import { CLIP_SECONDS, FPS, framesOf, HOUR_MS, recordingStage } from './support/recordings.ts'

describe.each(DATABASES.slice(0, 1))('[REC-02] a recording of several videos, on $name', ({ open }) => {
  const stage = recordingStage(open)

  it('that are not alike is played as it was sent, and had as MPEG-TS', async () => {
    const { program } = stage
    const owner = await stage.person()
    const clip = await cachedClip('lain.mp4', { seconds: 6.4, width: 640, height: 360, fps: FPS })
    await uploadVideo(program.url, owner.user.apiKey, clip, 'lain.mp4')
    expect((await processed(program.url, owner.user.apiKey, 'lain.mp4')).status).toBe('ready')
    const other = await program.db
      .selectFrom('videos')
      .innerJoin('renditions', 'renditions.video_id', 'videos.id')
      .select(['videos.id', 'key', 'tail_key', 'loop'])
      .where('filename', '=', 'lain.mp4')
      .executeTakeFirstOrThrow()
    const at = program.clock.now() - HOUR_MS
    const id = await stage.broadcast(owner, at)
    const list = other.loop ?? JSON.stringify({ seconds: 6.4, startSeconds: 0, outpoint: null, bodySeconds: null })
    await stage.send(owner, id, [
      { at, ms: CLIP_SECONDS * 1000, looping: 0 },
      {
        ...{ at: at + CLIP_SECONDS * 1000, ms: 6_400, looping: 0, filename: 'lain.mp4' },
        ...{ video_id: other.id, key: other.key, tail_key: other.tail_key, list },
      },
    ])
    await stage.live(owner, id, at)
    await stage.end(owner, id, at + 20_000)
    const recording = await stage.ready(owner, id)
    expect(recording).toMatchObject({ interruptions: 0, seconds: 19.2 })
    const path = `/${recording.recordingId}`
    const text = await (await owner.get(`${path}/index.m3u8`)).text()
    expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1)
    const response = await owner.get(`${path}/file`)
    expect(response.headers.get('content-type')).toBe('video/mp2t')
    expect(response.headers.get('content-disposition')).toMatch(/\.ts"/)
    const first = await framesOf(stage.clip)
    const made = await framesOf(await stage.saved(response, 'both.ts'))
    expect(made.slice(0, first.length)).toEqual(first)
    expect(made.length).toBeGreaterThan(first.length + 5 * FPS)
  })

  it('of which nobody takes the download any more leaves no ffmpeg behind; a second one at once is refused', async () => {
    const owner = await stage.person()
    const at = stage.program.clock.now() - 20 * HOUR_MS
    const id = await stage.broadcast(owner, at)
    await stage.send(owner, id, [{ at, ms: 12 * HOUR_MS }])
    await stage.live(owner, id, at)
    await stage.end(owner, id, at + 12 * HOUR_MS)
    const recording = await stage.ready(owner, id)
    const path = `/${recording.recordingId}/file`
    const ffmpegs = async () => (await childrenOf(process.pid)).filter(({ args }) => args.includes('pipe:0')).length
    const going = new AbortController()
    const response = await fetch(`${stage.program.url}/fitur/recording${path}`, {
      headers: owner.headers,
      signal: going.signal,
    })
    expect(response.status).toBe(200)
    expect(await ffmpegs()).toBe(1)
    const second = await owner.ask('GET', path)
    expect([second.status, second.body.message]).toEqual([429, RECORDING_TEXTS.busy])
    expect(second.headers.get('retry-after')).toBe('5')
    // A player still has its place.
    expect((await owner.get(`/${recording.recordingId}/segment/0.ts`)).status).toBe(200)
    going.abort()
    await waitFor('ffmpeg to be gone', async () => (await ffmpegs()) === 0)
    const again = await owner.get(`${path}?to=1`)
    expect(again.status).toBe(200)
    await again.arrayBuffer()
  })
})
