import { Secret } from '@siarin/media/secret'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assignedStreams, STREAMS_CHANNEL } from '../src/modules/broadcasts/store/assigned-streams.repo.ts'
import { createWorkerLeasesRepo } from '../src/modules/broadcasts/store/worker-leases.repo.ts'
import { dealOfDead, dealtTo } from '../src/modules/broadcasts/worker/deals.ts'
import { type Db, openPostgres } from '../src/platform/db/database.ts'
import { listenPostgres } from '../src/platform/db/listen.ts'
import { migratedPostgres } from './support/shared-servers.ts'

const log = pino({ level: 'silent' })
const TOLD = { max_streams: 40, kept: 0, cpu: 0.1, memory: 0.9, short_of: null }
let database: Awaited<ReturnType<typeof migratedPostgres>>
let db: Db
let slots = 0

beforeAll(async () => {
  database = await migratedPostgres()
  db = openPostgres(new Secret(database.url), log, 'quick')
  await sql`
    insert into users (id, username, username_key, email, password_hash, api_key_hash, api_key_sealed, created_at)
    values ('u', 'u', 'u', 'u', 'h', 'h', 's', 1)`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

async function addStreams(name: string, count: number, worker: string | null): Promise<void> {
  const id = sql`${name}::text || n`
  const numbers = sql`generate_series(1, cast(${count} as integer)) as n`
  const slot = sql`n + cast(${slots} as integer)`
  slots += count
  await sql`
    insert into broadcasts (id, user_id, source, looping, slot, desired, created_at)
    select ${id}, 'u', 'klip.mp4', 1, ${slot}, 'live', n from ${numbers}`.execute(db)
  await sql`
    insert into streams (id, broadcast_id, user_id, platform, source, target_sealed, target_host, target_mark, looping,
      slot, desired, phase, state, created_at, worker, epoch, pid, pid_birth)
    select ${id}, ${id}, 'u', 'lain', 'klip.mp4', 'sealed', 'host', ${id}, 1, ${slot}, 'live', 'live', '{"at":"live"}', n,
      ${worker}, 3, 4711, 'then' from ${numbers}`.execute(db)
}

async function keptBy(prefix: string): Promise<Record<string, number>> {
  const rows = await db.selectFrom('streams').select('worker').where('id', 'like', `${prefix}%`).execute()
  const found: Record<string, number> = {}
  for (const { worker } of rows) found[`${worker}`] = (found[`${worker}`] ?? 0) + 1
  return found
}

describe('streams that nobody keeps', () => {
  it('[MANY-03] go with the lease of a dead worker to those that have room, all at once, and not past it', async () => {
    const leases = createWorkerLeasesRepo(db)
    const register = (id: string, room: number, max_streams = TOLD.max_streams) =>
      leases.register({ id, incarnation: `of ${id}`, boot: id, version: '0' }, { ...TOLD, room, max_streams })
    await register('dead', 0)
    await Promise.all([register('wide', 40), register('narrow', 5, 5), register('full', 0), register('stale', 40)])
    await addStreams('mine-', 30, 'dead')
    // Since it last told its room somebody else has given it much.
    await addStreams('stale-', 38, 'stale')
    const told: string[] = []
    const stop = listenPostgres(new Secret(database.url), STREAMS_CHANNEL, (worker) => told.push(worker), log)
    await waitFor('somebody to listen', async () => {
      await assignedStreams(db).hint()
      return told.length > 0
    })
    const rows = await leases.all()
    const dead = rows.find(({ id }) => id === 'dead')
    if (!dead) throw new Error('there is no such row')
    const others = rows.filter((row) => row !== dead)

    const taking = () => leases.takeAway([dead], (inside, ids) => dealOfDead(inside, ids, others))
    expect((await Promise.all([taking(), taking()])).flat()).toEqual(['dead'])
    const first = await keptBy('mine-')
    expect(first['narrow']).toBeLessThanOrEqual(5)
    expect(first['stale']).toBe(2)
    expect(first['full']).toBeUndefined()

    // What was left over goes to others once those have told how full they are.
    for (const id of ['stale', 'narrow']) await leases.beat({ id, incarnation: `of ${id}` }, { ...TOLD, room: 0 })
    await assignedStreams(db).dealFree(['dead'], dealtTo(await leases.all()))
    const kept = await keptBy('mine-')
    expect(kept).toMatchObject({ narrow: expect.any(Number), stale: 2, wide: expect.any(Number) })
    expect(kept['narrow']).toBeLessThanOrEqual(5)
    expect(kept['wide']).toBeGreaterThanOrEqual(23)
    expect(Object.keys(kept).toSorted()).toEqual(['narrow', 'stale', 'wide'])
    const moved = await db.selectFrom('streams').selectAll().where('id', 'like', 'mine-%').executeTakeFirstOrThrow()
    expect(moved).toMatchObject({ epoch: 4, pid: null, pid_birth: null })
    await waitFor('those who got some to hear of it', async () => told.includes('wide'))
    stop()
  })

  it('[MANY-05] are dealt out by one worker where there are many, but for those that wait for their video', async () => {
    const rows = await createWorkerLeasesRepo(db).all()
    await addStreams('new-', 12, null)
    const assigned = assignedStreams(db)
    const isWaiting = (id: string): boolean => id === 'new-7'
    const dealt = await Promise.all([1, 2, 3].map(() => assigned.dealFree([], dealtTo(rows, isWaiting))))
    expect(dealt).toContain(true)
    expect((await assigned.free([], 100)).map(({ id }) => id)).toContain('new-7')
    const epochs = await db.selectFrom('streams').select(['epoch', 'worker']).where('id', 'like', 'new-%').execute()
    for (const { epoch, worker } of epochs) expect(epoch).toBe(worker === null ? 3 : 4)
    expect(epochs.filter(({ worker }) => worker !== null).length).toBeGreaterThan(0)
  })

  it('[MANY-03] are found where they were on air, first, however many older ones wait for their video', async () => {
    await addStreams('waiting-', 8, null)
    await addStreams('was-on-air-', 9, 'gone')
    await sql`update streams set created_at = created_at + 100 where worker = 'gone'`.execute(db)
    const found = await assignedStreams(db).free(['gone'], 4)
    expect(found.map(({ worker }) => worker)).toEqual([...Array(4).fill('gone'), ...Array(4).fill(null)])
    expect(found[0]?.id).toBe('was-on-air-1')
  })
})

it('[MANY-05] a worker stands by with the videos of its streams first, then with those that stand in for a source', async () => {
  await addStreams('online-', 1, 'other')
  await addStreams('video-', 1, 'other')
  await sql`
    insert into videos (id, user_id, filename, status, original_bytes, master_bytes, content_type, created_at)
    select id, 'u', id, 'ready', 1, 1, 'video/mp4', 1 from unnest(array['stand-in', 'own']) as id`.execute(db)
  await sql`update broadcasts set fallback_video_id = 'stand-in' where id = 'online-1'`.execute(db)
  await sql`update streams set standby = 'by', recipe = 'logo' where id in ('online-1', 'video-1')`.execute(db)
  await sql`update streams set video_id = 'own' where id = 'video-1'`.execute(db)
  expect(await assignedStreams(db).videosToStandBy('by')).toEqual([
    { videoId: 'own', recipe: 'logo' },
    { videoId: 'stand-in', recipe: null },
  ])
})
