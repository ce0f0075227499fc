import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import type { RtmpServer } from '@siarin/testkit/nginx-rtmp'
import { bareFfmpeg, plainLoop } from '../bare-ffmpeg.ts'
import { median, type Row } from '../row.ts'
import { setStage } from '../stage.ts'

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
  wanted: { moreAtMost: 150 },
  async measure() {
    await using stage = await setStage()
    const clip = join(stage.folder, 'klip.mp4')
    await makeClip(clip, { seconds: 4 })
    const rtmp = await stage.ingest()
    const filename = await stage.upload(clip)
    await stage.untilReady(filename)
    const ours: number[] = []
    const yardstick: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [bareName, ownName] = [`bare${round}`, `ours${round}`]
      yardstick.push(
        await untilPublished(rtmp, bareName, async () => {
          const child = bareFfmpeg(plainLoop(clip, `${rtmp.url}/${bareName}`))
          return async () => child.end()
        }),
      )
      ours.push(
        await untilPublished(rtmp, ownName, async () => {
          const streamId = await stage.goLive(filename, `${rtmp.url}/${ownName}`)
          return () => stage.stop(streamId)
        }),
      )
    }
    return { ours: median(ours), yardstick: median(yardstick) }
  },
}
