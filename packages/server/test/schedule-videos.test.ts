import { randomUUID } from 'node:crypto'
import { SCHEDULE_REASON_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPinVideos } from '../src/modules/schedules/pin-videos.ts'
import { createSchedulesRepo } from '../src/modules/schedules/schedules.repo.ts'
import { openRequest, type ScheduledRequest, sealRequest } from '../src/modules/schedules/start-request.ts'
import { addVideo, newOwner, type Owner } from './support/filled-lists.ts'
import { startProgram, type TestProgram } from './support/program.ts'
import { HOUR_MS, MINUTE_MS, minuteAfter, onceAt, scheduleCalls } from './support/schedules.ts'

const GONE = { warningCode: 'video-gone', warning: SCHEDULE_REASON_TEXTS['video-gone'] }

describe('[SAFE-02] a schedule sends the video that it was made for, and no other of its name', () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(() => program?.close())

  const to = (at: number) => program.clock.move(at - program.clock.now())
  const requestOf = async ({ sealer }: Owner, id: string): Promise<ScheduledRequest> => {
    const row = await createSchedulesRepo(program.db).byId(id)
    return openRequest(sealer, row?.request_sealed ?? '')
  }
  /** As versions before 0.8 kept it. */
  async function unpin(owner: Owner, id: string): Promise<void> {
    const { pins: _, ...request } = await requestOf(owner, id)
    const request_sealed = sealRequest(owner.sealer, request)
    await program.db.updateTable('schedules').set({ request_sealed }).where('id', '=', id).execute()
  }
  /** What a stolen session did: deleted, and uploaded again under the same name. */
  async function replaceVideo({ ask, userId }: Owner): Promise<void> {
    expect((await ask('DELETE', '/fitur/video/delete/klip.mp4')).status).toBe(200)
    await addVideo(program.db, userId, { id: randomUUID(), filename: 'klip.mp4' })
  }
  async function scheduled() {
    const owner = await newOwner(program)
    const calls = scheduleCalls(program, owner.apiKey)
    const due = minuteAfter(program.clock.now(), 3 * HOUR_MS)
    const { id } = (await calls.create(onceAt(due))).body.data
    return { owner, calls, due, id }
  }
  async function isNotSent({ owner, calls, due, id }: Awaited<ReturnType<typeof scheduled>>): Promise<void> {
    to(due + 1_000)
    await waitFor('its refusal', async () => (await calls.rowsOf(id))[0]?.reason === 'video-gone')
    expect(await calls.broadcasts(owner.userId)).toEqual([])
  }

  it('says so an hour ahead, and does not start', async () => {
    const made = await scheduled()
    expect((await requestOf(made.owner, made.id)).pins).toEqual({ video: made.owner.videoId, fallback: null })
    await replaceVideo(made.owner)
    to(made.due - 30 * MINUTE_MS)
    await waitFor('the warning', async () => (await made.calls.upcoming())[0]?.warning !== null)
    expect(await made.calls.upcoming()).toMatchObject([GONE])
    await isNotSent(made)
    // Its owner chooses the new one.
    const change = await made.calls.ask('PATCH', `/${made.id}`, { broadcast: { source: 'klip.mp4' } })
    expect(change.status).toBe(200)
    await waitFor('its start', async () => (await made.calls.broadcasts(made.owner.userId)).length > 0)
  })

  it('also where an older version kept its name alone: the first look says which one is meant', async () => {
    const made = await scheduled()
    await unpin(made.owner, made.id)
    to(made.due - 30 * MINUTE_MS)
    await waitFor('the first look', async () => (await requestOf(made.owner, made.id)).pins !== undefined)
    expect((await requestOf(made.owner, made.id)).pins).toEqual({ video: made.owner.videoId, fallback: null })
    await replaceVideo(made.owner)
    await isNotSent(made)
  })

  it('and a start of the program looks at all of them', async () => {
    const { owner, id } = await scheduled()
    await unpin(owner, id)
    const pins = { video: owner.videoId, fallback: null }
    const repo = createSchedulesRepo(program.db)
    // Those of others are not this test's to open or to change.
    const own = {
      ...repo,
      allAfter: async (after: string) => (await repo.allAfter(after, 50)).filter((row) => row.id === id),
    }
    const log = pino({ level: 'silent' })
    createPinVideos({ repo: own, broadcasts: { pinsOf: async () => pins }, sealer: owner.sealer, log }).start()
    await waitFor('its look', async () => (await requestOf(owner, id)).pins !== undefined)
    expect((await requestOf(owner, id)).pins).toEqual(pins)
  })
})
