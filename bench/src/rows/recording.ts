import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { cpuSeconds, descendantsOf } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { type Row, shared } from '../row.ts'
import { type Stage, setStage } from '../stage.ts'

const STREAMS = 20
const WINDOW_MS = 60_000
const SETTLE_MS = 8_000
const CLIP = {
  seconds: 20,
  width: 1280,
  height: 720,
  extraArgs: ['-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '5000k'],
}

/** What the kernel counts of a process that it sent to the disk. */
async function writtenBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '')
  return Number(/^write_bytes: (\d+)/m.exec(text)?.[1] ?? 0)
}

/** What the program and all of its ffmpegs have used. */
async function usedBy({ siarin }: Stage): Promise<{ cpu: number; bytes: number }> {
  const pids = [siarin.pid, ...(await descendantsOf(siarin.pid)).map(({ pid }) => pid)]
  const sum = async (of: (pid: number) => Promise<number>) =>
    (await Promise.all(pids.map(of))).reduce((total, one) => total + one, 0)
  return { cpu: await sum(cpuSeconds), bytes: await sum(writtenBytes) }
}

async function onAir(stage: Stage, rtmpUrl: string, name: string, record: boolean): Promise<void> {
  const clip = join(stage.folder, 'klip.mp4')
  await makeClip(clip, CLIP)
  const filename = await stage.upload(clip)
  await stage.untilReady(filename)
  for (let index = 0; index < STREAMS; index++) await stage.goLive(filename, `${rtmpUrl}/${name}${index}`, { record })
}

/** A program for each, at the same time: whatever else the machine does falls on both alike. */
async function measureBoth() {
  const env = { LOG_LEVEL: 'warn' }
  await using recorded = await setStage({ env })
  await using plain = await setStage({ env })
  const rtmp = await recorded.ingest()
  await onAir(recorded, rtmp.url, 'rekam', true)
  await onAir(plain, rtmp.url, 'polos', false)
  await waitFor('all publishers', async () => (await rtmp.publishers()).length === 2 * STREAMS, { timeoutMs: 120_000 })
  await sleep(SETTLE_MS)
  const look = async () => ({ at: performance.now(), ours: await usedBy(recorded), yardstick: await usedBy(plain) })
  const before = await look()
  await sleep(WINDOW_MS)
  const after = await look()
  const perSecond = (of: 'ours' | 'yardstick', what: 'cpu' | 'bytes') =>
    (1_000 * (after[of][what] - before[of][what])) / (after.at - before.at)
  const both = (what: 'cpu' | 'bytes', unit: number) => ({
    ours: perSecond('ours', what) * unit,
    yardstick: perSecond('yardstick', what) * unit,
  })
  return { cpu: both('cpu', 100), bytes: both('bytes', 1 / 1024) }
}

const once = shared(measureBoth)

const cpu: Row = {
  name: `recording: CPU of the program and its ffmpegs at ${STREAMS} recorded loops`,
  unit: '% of a core',
  yardstick: 'as many that are not recorded, at the same time',
  wanted: { ratioAtMost: 1.03 },
  measure: async () => (await once()).cpu,
}

/**
 * Two like programs that record nothing differ by up to 27 % here: their streams' rows lie on four, five or six pages of the database,
 * which are written every two seconds. That a recorded loop writes nothing while it plays, faults-recordings.long.test.ts shows.
 */
const writes: Row = {
  name: `recording: written to disk at ${STREAMS} recorded loops`,
  unit: 'KiB/s',
  yardstick: 'as many that are not recorded, at the same time',
  wanted: { ratioAtMost: 1.03 },
  measure: async () => (await once()).bytes,
}

export const recordingRows: readonly Row[] = [cpu, writes]
