import { spawn } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { newApiKey } from '../person.ts'
import { median, type Row } from '../row.ts'

const ROUNDS = 7

async function untilPublished(
  rtmp: RtmpServer,
  name: string,
  begin: () => Promise<() => Promise<void>>,
): Promise<number> {
  const startedAt = performance.now()
  const end = await begin()
  await rtmp.waitForPublisher(name, { everyMs: 10 })
  const took = performance.now() - startedAt
  await end()
  await rtmp.waitForNoPublisher(name)
  return took
}

/** From the call to the publisher that nginx-rtmp shows. */
export const startToPublisher: Row = {
  name: 'stream: start call to publisher at the ingest',
  unit: 'ms',
  yardstick: 'bare ffmpeg',
  wanted: { atMost: 1.6 },
  async measure() {
    const folder = await tempDir('bench')
    const clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 4 })
    const rtmp = await startRtmpServer()
    const siarin = await startSiarin()
    const apiKey = await newApiKey(siarin.url)
    const headers = { 'x-api-key': apiKey }
    const form = new FormData()
    form.set('video', await openAsBlob(clip), 'klip.mp4')
    await fetch(`${siarin.url}/fitur/video/upload`, { method: 'POST', body: form, headers })
    const post = async (path: string, body: object) => {
      const json = { ...headers, 'content-type': 'application/json' }
      const answer = await fetch(siarin.url + path, { method: 'POST', body: JSON.stringify(body), headers: json })
      return (await answer.json()) as { streamId: string }
    }
    const ours: number[] = []
    const yardstick: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      yardstick.push(
        await untilPublished(rtmp, `bare${round}`, async () => {
          const args = ['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'flv', `${rtmp.url}/bare${round}`]
          const child = spawn('ffmpeg', ['-nostdin', '-loglevel', 'quiet', ...args])
          return async () => void child.kill('SIGKILL')
        }),
      )
      ours.push(
        await untilPublished(rtmp, `ours${round}`, async () => {
          const target = { platform: 'lain', rtmpStream: `${rtmp.url}/ours${round}`, looping: true }
          const { streamId } = await post('/fitur/steam/start', { source: 'klip.mp4', ...target })
          return async () => void (await post('/fitur/steam/stop', { streamId }))
        }),
      )
    }
    await siarin.dispose()
    await rtmp.stop()
    await folder.remove()
    return { ours: median(ours), yardstick: median(yardstick) }
  },
}
