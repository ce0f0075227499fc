import { readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PreparePlan } from '@siarin/media/prepare-plan'
import { video as picture, probe } from '@siarin/media/sample-probe'
import { tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { USUAL_TIMINGS } from '../../../platform/timings.ts'
import { createRoom } from '../room.ts'
import { createEncode } from './encode-master.ts'

const KB = 1024
const DISK_BYTES = 120 * KB
const WHOLE_BYTES = 80 * KB

/** Writes ten kilobytes at a time into what it was to make, and tells how large that is. */
const FFMPEG = `#!/bin/sh
for last; do :; done
for part in 1 2 3 4 5 6 7 8; do
  head -c 10240 /dev/zero >> "\${last#file:}"
  printf 'frame=%s\\nfps=25\\ntotal_size=%s\\nout_time_us=%s\\nprogress=continue\\n' $part $((part * 10240)) $((part * 1000000))
  sleep 0.3
done
`

it('[SAFE-03] several masters at once take no more of the disk than it has: one that does not fit any more is ended', async () => {
  const folder = await tempDir('encode')
  const made = join(folder.path, 'made')
  const tools = { ffmpegPath: join(folder.path, 'ffmpeg'), ffprobePath: join(folder.path, 'ffprobe') }
  await writeFile(tools.ffmpegPath, FFMPEG, { mode: 0o755 })
  await writeFile(tools.ffprobePath, '#!/bin/sh\n', { mode: 0o755 })
  const takenBytes = () =>
    readdirSync(folder.path)
      .filter((name) => name.startsWith('made'))
      .reduce((sum, name) => sum + statSync(join(folder.path, name)).size, 0)
  const room = createRoom({
    repo: { usedBytes: async () => 0 },
    reservations: {} as never,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    limitsOf: async () => ({ storageBytes: 1e12, maxHeight: 1080, maxFps: 60, makingHours: 1 }),
    roomPlanOf: async () => null,
    dataDir: folder.path,
    reserveBytes: () => 0,
    freeBytes: async () => DISK_BYTES - takenBytes(),
  })
  const timings = USUAL_TIMINGS.mediaTools
  const encode = createEncode({
    ...{ room, ...tools, timings },
    log: pino({ level: 'silent' }),
    inspect: async () => ({ ...probe, video: picture }),
  })
  const plan: PreparePlan = {
    ...{ durationSeconds: 8, pictureStartsAt: 0, audioTrack: 0, audioSamples: 384_000, incomplete: false },
    picture: { kind: 'copy', timescale: null },
  }
  const video = { id: 'video', user_id: 'budi', original_bytes: 10 * KB, master: null }
  const ends = await Promise.allSettled(
    ['1', '2'].map(async (name) => {
      const most = await room.forMaster(video)
      const work = { seconds: 8, pixels: 0, samples: 768_000 }
      const order = { plan, work, input: 'none', output: made + name, most, expectedBytes: 10 * KB, report: () => {} }
      return encode(video, order, new AbortController().signal)
    }),
  )
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.reason] : []))
  expect(reasons.length).toBeGreaterThan(0)
  for (const reason of reasons) expect(reason).toEqual({ code: 'disk-full' })
  expect(takenBytes()).toBeLessThan(2 * WHOLE_BYTES)
  await folder.remove()
})
