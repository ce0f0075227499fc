import { buildSiarin } from '@siarin/testkit/siarin-server'
import { figure, judge, type Row } from './row.ts'
import { analyticsRows } from './rows/analytics.ts'
import { apiCalls } from './rows/api-call.ts'
import { controlRoom } from './rows/control-room.ts'
import { fullAccount } from './rows/full-account.ts'
import { fullPreparation, rangedReading, timeToReady } from './rows/library.ts'
import { machineRows } from './rows/machines.ts'
import { manyStreams } from './rows/many-streams.ts'
import { playlistCpu } from './rows/playlist-cpu.ts'
import { recordedRelays } from './rows/recorded-relays.ts'
import { recordingRows } from './rows/recording.ts'
import { scheduleRows } from './rows/schedules.ts'
import { startRows } from './rows/start.ts'
import { startToPublisher } from './rows/start-to-publisher.ts'
import { storageRows } from './rows/storage.ts'
import { streamCpu } from './rows/stream-cpu.ts'
import { uploadRows } from './rows/upload.ts'
import { webhookRows } from './rows/webhooks.ts'

const ROWS: readonly Row[] = [
  ...apiCalls,
  fullAccount,
  ...startRows,
  startToPublisher,
  ...streamCpu,
  playlistCpu,
  ...recordingRows,
  ...manyStreams,
  recordedRelays,
  ...scheduleRows,
  ...analyticsRows,
  ...uploadRows,
  ...timeToReady,
  fullPreparation,
  rangedReading,
  controlRoom,
  ...webhookRows,
  ...machineRows,
  ...storageRows,
]

/** `npm run bench`, or `npm run bench -- api` for the rows whose name has that word. Exit 1 where a bound is not met. */
const words = process.argv.slice(2)
const chosen = ROWS.filter(({ name }) => words.every((word) => name.includes(word)))
let missed = 0
await buildSiarin()
console.log('| what | Siarin | yardstick | compared | wanted | |\n|---|---|---|---|---|---|')
for (const row of chosen) {
  const measured = await row.measure()
  const { met, compared, bound } = judge(row, measured)
  if (!met) missed++
  const yardstick = `${row.yardstick}: ${figure(measured.yardstick)} ${row.unit}`
  console.log(
    `| ${row.name} | ${figure(measured.ours)} ${row.unit} | ${yardstick} | ${compared} | ${bound} | ${met ? 'met' : 'MISSED'} |`,
  )
}
process.exitCode = missed > 0 || chosen.length === 0 ? 1 : 0
