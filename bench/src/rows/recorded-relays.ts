import { setTimeout as sleep } from 'node:timers/promises'
import { startHlsSource } from '@siarin/testkit/hls-source'
import { cpuSeconds, descendantsOf } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import type { Measured, Row } from '../row.ts'
import { type Stage, setStage } from '../stage.ts'

const RELAYS = 20
/** In which each recorder finishes six pieces. */
const WINDOW_MS = 60_000
const SETTLE_MS = 15_000
const SOURCE = {
  segmentSeconds: 2,
  width: 1280,
  height: 720,
  extraArgs: ['-b:v', '2500k', '-minrate', '2500k', '-maxrate', '2500k', '-bufsize', '2500k'],
}

/** The program with all that it has started: what has ended counts with it. */
async function cpuOf({ siarin }: Stage): Promise<number> {
  const pids = [siarin.pid, ...(await descendantsOf(siarin.pid)).map(({ pid }) => pid)]
  const seconds = await Promise.all(pids.map(cpuSeconds))
  return seconds.reduce((total, value) => total + value, 0)
}

/** Two programs at the same time, which differ in nothing else: whatever the machine does falls on both alike. */
async function measure(): Promise<Measured> {
  const source = await startHlsSource(SOURCE)
  await using recorded = await setStage({ env: { LOG_LEVEL: 'warn' } })
  await using plain = await setStage({ env: { LOG_LEVEL: 'warn' } })
  recorded.atEnd(source.dispose)
  for (const [stage, record] of [
    [recorded, true],
    [plain, false],
  ] as const) {
    const rtmp = await stage.ingest()
    for (let index = 0; index < RELAYS; index++) await stage.goLive(source.url, `${rtmp.url}/relay${index}`, { record })
    const areThere = async () => (await rtmp.publishers()).length === RELAYS
    await waitFor('all publishers', areThere, { timeoutMs: 120_000 })
  }
  await sleep(SETTLE_MS)
  const look = async () => ({ at: performance.now(), ours: await cpuOf(recorded), yardstick: await cpuOf(plain) })
  const before = await look()
  await sleep(WINDOW_MS)
  const after = await look()
  const percent = (of: keyof Measured) => (100_000 * (after[of] - before[of])) / (after.at - before.at)
  return { ours: percent('ours'), yardstick: percent('yardstick') }
}

export const recordedRelays: Row = {
  name: `recording: CPU of the program and its ffmpegs at ${RELAYS} relays that are recorded`,
  unit: '% of a core',
  yardstick: 'the same, not recorded',
  wanted: { ratioAtMost: 1.3 },
  measure,
}
