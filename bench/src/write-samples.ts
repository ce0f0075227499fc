import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { tempDir } from '@siarin/testkit/temp-dir'
import { createRollUpRepo } from '../../packages/server/src/modules/analytics/roll-up.repo.ts'
import { createRollUp } from '../../packages/server/src/modules/analytics/roll-up.ts'
import { sampleOf, slotOf } from '../../packages/server/src/modules/analytics/sample-rules.ts'
import { createSamplesRepo } from '../../packages/server/src/modules/analytics/samples.repo.ts'
import { migrate, openSqlite } from '../../packages/server/src/platform/db/database.ts'

/** What an hour and a half of samples takes of a core, with their rollups and with clearing as much as comes. Tells it in per cent. */
const STREAMS = 500
const SLOTS = 1_080
const SLOT_MS = 5_000
const START = Date.parse('2026-11-16T00:00:00Z')
const WRITES = process.argv[2] !== 'none'

const folder = await tempDir('bench-samples')
const db = openSqlite(join(folder.path, 'siarin.db'))
await migrate(db)
await db
  .insertInto('users')
  .values({
    ...{ id: 'u', username: 'u', username_key: 'u', email: 'u', password_hash: 'h', api_key_hash: 'h' },
    ...{ api_key_sealed: 's', created_at: 0 },
  })
  .execute()
const ids = Array.from({ length: STREAMS }, () => randomUUID())
const row = { broadcast_id: 'b', user_id: 'u', title: 't', platform: 'youtube', asked_at: START, known_from: START }
await db
  .insertInto('stat_streams')
  .values(ids.map((stream_id) => ({ ...row, stream_id })))
  .execute()
const numbers = (await db.selectFrom('stat_streams').select('id').execute()).map(({ id }) => id)
const samples = createSamplesRepo(db)
let now = START
const rollUp = createRollUp({ db, clock: { now: () => now }, repo: createRollUpRepo(db) })
// As much as is cleared meanwhile, from two days before.
if (WRITES) for (let slot = 0; slot < SLOTS; slot++) await tick(START - 2 * 86_400_000 + slot * SLOT_MS)

async function tick(at: number): Promise<void> {
  const figures = ids.map((streamId) => ({
    ...{ streamId, phase: 'live', bitrateKbps: 2_000 + Math.random() * 1_000, fps: 30, speed: 1, unsentBytes: 4_000 },
  })) as Parameters<typeof sampleOf>[0][]
  const rows = figures.map((figure, index) => ({ ...sampleOf(figure, slotOf(at)), streamNo: numbers[index] ?? 0 }))
  if (WRITES) await samples.write(rows)
}

const before = process.cpuUsage()
for (let slot = 0; slot < SLOTS; slot++) {
  now = START + slot * SLOT_MS
  await tick(now)
  if (WRITES && slot % 4 === 0) await rollUp.rollUp()
  if (WRITES && slot % 120 === 0) await rollUp.clear()
}
const { user, system } = process.cpuUsage(before)
await db.destroy()
await folder.remove()
process.send?.(((user + system) / 1000 / (SLOTS * SLOT_MS)) * 100)
