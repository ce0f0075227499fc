import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import type { RtmpServer } from '@siarin/testkit/nginx-rtmp'
import { cpuSeconds, descendantsOf } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { bareFfmpeg, plainLoop } from '../bare-ffmpeg.ts'
import { type Row, shared } from '../row.ts'
import { setStage } from '../stage.ts'

const STREAMS = 60
/** In which the ends of two passes fall for each stream. */
const WINDOW_MS = 40_000
const SETTLE_MS = 5_000
const CLIP = {
  seconds: 20,
  width: 1280,
  height: 720,
  extraArgs: ['-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '5000k'],
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const cpuOf = async (pids: readonly number[]): Promise<number> => sum(await Promise.all(pids.map(cpuSeconds)))

/** Which connections send: the same ones afterwards show that nothing broke off. */
const publishing = async (rtmp: RtmpServer): Promise<string> =>
  (await rtmp.publishers())
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join()

/** All three at the same time: whatever else the machine does falls on each alike. */
async function measureCpu() {
  await using stage = await setStage({ env: { LOG_LEVEL: 'warn' } })
  const { folder, siarin } = stage
  const rtmp = await stage.ingest()
  const clip = join(folder, 'klip.mp4')
  await makeClip(clip, CLIP)
  const filename = await stage.upload(clip)
  await stage.untilReady(filename)
  const bare = (args: readonly string[]): number => {
    const child = bareFfmpeg(args)
    stage.atEnd(child.end)
    return child.pid
  }

  const [alike, plain]: [number[], number[]] = [[], []]
  for (let index = 0; index < STREAMS; index++) {
    const target = `${rtmp.url}/ours${index}`
    await stage.goLive(filename, target)
    const ours = await waitFor('the ffmpeg of a stream', async () =>
      // A shell that limits its memory becomes it.
      (await descendantsOf(siarin.pid)).find(({ args }) => args[0] === 'ffmpeg' && args.includes(target)),
    )
    const progress = ours.args[ours.args.indexOf('-progress') + 1] ?? ''
    const directory = dirname(progress.replace(/^file:/, ''))
    const copy = join(folder, `alike${index}`)
    await cp(directory, copy, { recursive: true, verbatimSymlinks: true })
    const args = ours.args.slice(1).map((arg) => arg.replace(directory, copy))
    alike.push(bare([...args.slice(0, -1), `${rtmp.url}/alike${index}`]))
    plain.push(bare(plainLoop(clip, `${rtmp.url}/plain${index}`)))
  }
  await waitFor('all publishers', async () => (await rtmp.publishers()).length === 3 * STREAMS, { timeoutMs: 120_000 })
  await sleep(SETTLE_MS)

  const look = async () => {
    const connections = await publishing(rtmp)
    // Those that have ended count too, with the one that started them.
    const whole = [siarin.pid, ...(await descendantsOf(siarin.pid)).map(({ pid }) => pid)]
    const at = performance.now()
    return { connections, at, ours: await cpuOf(whole), alike: await cpuOf(alike), plain: await cpuOf(plain) }
  }
  const before = await look()
  await sleep(WINDOW_MS)
  const after = await look()
  if (after.connections !== before.connections) throw new Error('a broadcast broke off while it was measured')
  const percent = (of: 'ours' | 'alike' | 'plain') => (100_000 * (after[of] - before[of])) / (after.at - before.at)
  return { ours: percent('ours'), alike: percent('alike'), plain: percent('plain') }
}

const measured = shared(measureCpu)
const name = `stream: CPU of the program and its ffmpegs at ${STREAMS} streams`
const unit = '% of a core'

export const streamCpu: readonly Row[] = [
  {
    name,
    unit,
    yardstick: 'the same commands, bare',
    wanted: { ratioAtMost: 1.1 },
    measure: async () => ({ ours: (await measured()).ours, yardstick: (await measured()).alike }),
  },
  {
    name,
    unit,
    yardstick: 'bare plain loops of the file',
    wanted: { ratioAtMost: 1.25 },
    measure: async () => ({ ours: (await measured()).ours, yardstick: (await measured()).plain }),
  },
]
