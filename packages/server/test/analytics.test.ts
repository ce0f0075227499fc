import type { LiveFigures } from '@siarin/contracts/analytics'
import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { createRollUpRepo } from '../src/modules/analytics/roll-up.repo.ts'
import { createRollUp } from '../src/modules/analytics/roll-up.ts'
import { LIVE_STATE, slotOf } from '../src/modules/analytics/sample-rules.ts'
import { createSamplesRepo } from '../src/modules/analytics/samples.repo.ts'
import { writeFacts } from '../src/platform/outbox/facts.ts'
import { DAY, HOUR, MINUTE, numberOf, tellStream, wasGivenUp, wasStopped, wentLive } from './support/analytics.ts'
import { analyticsStage, dateOf as date } from './support/analytics-stage.ts'
import { DATABASES } from './support/databases.ts'
import { bearer, call } from './support/program.ts'

describe.each(DATABASES)('analytics on $name', { timeout: 60_000 }, ({ open }) => {
  const stage = analyticsStage(open)
  const { somebody, told, run } = stage

  it('[STAT-02] hours per day and platform, per cent, incidents with reason and length, longest run', async () => {
    const { noon } = stage
    const person = await somebody()
    await told(person.id, run(), { title: 'Pagi' })
    await told(person.id, [wentLive(noon), wasStopped(noon + HOUR)], { platform: 'tiktok' })
    await told(person.id, [wasGivenUp(noon + 5 * MINUTE, 'target-refused')], { created_at: noon, title: 'Gagal' })
    const range = `from=${date(noon)}&to=${date(noon + DAY)}`
    const { status, body } = await person.get(`summary?${range}&zone=Asia/Jakarta`)
    expect(status).toBe(200)
    // Noon is seven in the evening there: midnight comes five hours later.
    const [first, second] = body.data.days
    const youtube = (day: typeof first) =>
      day.platforms.find(({ platform }: { platform: string }) => platform === 'youtube')
    expect(youtube(first)).toMatchObject({ onAirSeconds: 5 * 3600 - 390, incidents: 3 })
    expect(youtube(second)).toMatchObject({ onAirSeconds: 5 * 3600, onAirPercent: 100, incidents: 0 })
    expect(body.data.totals).toMatchObject({
      ...{ onAirSeconds: 11 * 3600 - 390, wantedSeconds: 11 * 3600 + 300, broadcasts: 3, incidents: 3 },
      offAirSeconds: 690,
      longestRun: { title: 'Pagi', seconds: 8 * 3600 - 30 },
    })
    expect(body.data.totals.onAirPercent).toBe(Math.floor(((11 * 3600 - 390) / (11 * 3600 + 300)) * 10_000) / 100)
    expect(body.data.incidents).toMatchObject([
      { title: 'Pagi', reasonCode: 'session-renewed', planned: true, seconds: 30, outcome: 'recovered' },
      { reasonCode: 'stalled', reason: STREAM_REASON_TEXTS.stalled, planned: false, seconds: 360, kind: 'interrupted' },
      { title: 'Gagal', kind: 'failed', outcome: 'failed', reasonCode: 'target-refused', seconds: 300 },
    ])
    const utc = await person.get(`summary?${range}&zone=UTC`)
    expect(youtube(utc.body.data.days[0])).toMatchObject({ onAirSeconds: 10 * 3600 - 390 })
    const list = await person.get(`broadcasts?${range}&limit=2`)
    expect(list.body.data).toHaveLength(2)
    const rest = await person.get(`broadcasts?${range}&cursor=${list.body.nextCursor}`)
    expect(rest.body).toMatchObject({ data: [{}], nextCursor: null })
    const titles = [...list.body.data, ...rest.body.data].map(({ title }: { title: string }) => title)
    expect(titles.sort()).toEqual(['Gagal', 'Pagi', 'klip.mp4'])
  })

  it('[STAT-01] points of five seconds, of minutes and of hours by the length of the time', async () => {
    const { program } = stage
    const person = await somebody()
    const from = program.clock.now() - 3 * HOUR
    const id = await told(person.id, [wentLive(from)])
    const no = await numberOf(program.db, id)
    const samples = createSamplesRepo(program.db)
    const slots = Array.from({ length: 3 * 720 }, (_, index) => slotOf(from) + index)
    const sample = { streamNo: no, state: LIVE_STATE, fps: 300, speed: 1000, unsentKb: 5 }
    await samples.write(slots.map((at, index) => ({ ...sample, at, kbps: index % 2 ? 3000 : 1000 })))
    const { clock, db } = program
    await db.deleteFrom('stat_places').where('name', '<>', 'seeded').execute()
    const rollUp = async () => {
      for (let round = 0; round < 3; round++) await createRollUp({ db, clock, repo: createRollUpRepo(db) }).rollUp()
    }
    const series = (start: number, end: number) =>
      person.get(`series?streamId=${id}&from=${new Date(start).toISOString()}&to=${new Date(end).toISOString()}`)
    const fine = (await series(from, from + HOUR)).body.data
    expect([fine.resolutionSeconds, fine.at.length >= 719, fine.bitrateKbps.slice(0, 2)]).toEqual([
      5,
      true,
      [1000, 3000],
    ])
    expect(fine).toMatchObject({ streamId: id })
    expect([fine.fps[0], fine.speed[0], fine.unsentKb[0], fine.onAirPercent[0]]).toEqual([30, 1, 5, 100])
    const byMinute = async () => (await series(from - HOUR, from + 3 * HOUR)).body.data
    // What nobody has rolled up yet is there too, as far as it is new.
    expect((await byMinute()).at.length).toBeGreaterThan(10)
    await rollUp()
    const minutes = await byMinute()
    expect(minutes.at.length).toBeGreaterThanOrEqual(179)
    expect([minutes.resolutionSeconds, minutes.bitrateKbps[1], minutes.bitrateMinKbps[1]]).toEqual([60, 2000, 1000])
    const byHour = async () => (await series(from - 4 * DAY, from + 3 * HOUR)).body.data
    const hours = await byHour()
    expect(hours.at.length).toBeGreaterThanOrEqual(3)
    expect([hours.resolutionSeconds, hours.bitrateKbps[1], hours.bitrateMaxKbps[1]]).toEqual([3600, 2000, 3000])
    await tellStream(program.db, person.id, id, [wasStopped(program.clock.now())])
  })

  it('[STAT-03] one broadcast on one time line: streams, runs, incidents, swaps, schedule, end', async () => {
    const { program, noon } = stage
    const person = await somebody()
    const id = await told(person.id, run(), { title: 'Malam' })
    await writeFacts(program.db, { kind: 'schedule', id: 'j1', userId: person.id }, [
      ...[
        {
          at: noon,
          fact: 'schedule.started',
          payload: { scheduleId: 'j1', title: 'Rutin', dueAt: noon, streamId: id },
        } as const,
      ],
    ])
    const event = { stream_id: id, at: noon + 90 * MINUTE, kind: 'swapped', reason: 'lagi.mp4', off_air_ms: null }
    await program.db
      .insertInto('stream_events')
      .values({ id: `${id}-e`, ...event })
      .execute()
    await waitFor('its schedule', async () => (await person.get(`broadcast/${id}`)).body.data.schedule)
    const { data } = (await person.get(`broadcast/${id}`)).body
    expect(data).toMatchObject({
      ...{ broadcastId: id, title: 'Malam', startedAt: new Date(noon).toISOString(), recordings: [] },
      endedAt: new Date(noon + 10 * HOUR).toISOString(),
      schedule: { scheduleId: 'j1', title: 'Rutin' },
      events: [{ kind: 'asked' }, { kind: 'swapped', reason: 'lagi.mp4', streamId: id }],
    })
    expect(data.streams).toHaveLength(1)
    expect(data.streams[0]).toMatchObject({
      ended: 'stopped',
      onAirSeconds: 36_000 - 390,
      longestRunSeconds: 8 * 3600 - 30,
    })
    expect(data.streams[0].runs).toHaveLength(3)
    expect(data.streams[0].incidents).toHaveLength(2)
    expect(data.streams[0].series.resolutionSeconds).toBe(60)
  })

  it('[STAT-03] CSV: whole, and no formula of whoever names a title', async () => {
    const { program, noon } = stage
    const person = await somebody('starter')
    const id = await told(person.id, run(), { title: '=HYPERLINK("http://x","y")', target_name: 'Kanal, satu' })
    const range = `from=${date(noon)}&to=${date(noon + DAY)}`
    const lines = async (kind: string) => (await person.text(`csv?kind=${kind}&${range}`)).trim().split('\r\n')
    const [head, line] = await lines('broadcasts')
    expect(head).toMatch(/^broadcast_id,stream_id,title/)
    expect(line).toContain(`${id},${id},"'=HYPERLINK(""http://x"",""y"")",YouTube,"Kanal, satu"`)
    expect(await lines('incidents')).toHaveLength(3)
    expect((await lines('days')).slice(1)).toMatchObject([
      ...[expect.stringContaining(`${date(noon)},YouTube,`), expect.stringContaining(',YouTube,18000,18000,100,0')],
    ])
    const ticket = (await call(program.url, 'POST', '/fitur/video/ticket', { headers: bearer(person.token) })).body
    const answer = await fetch(`${program.url}/fitur/analytics/csv?${range}&ticket=${ticket.data.ticket}`)
    // Without this mark a spreadsheet takes the text for another alphabet.
    expect([...new Uint8Array(await answer.arrayBuffer())].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf])
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      ...[200, expect.stringContaining('analitik-hari-')],
    ])
  })

  it('[STAT-01] pushes the figures of now every five seconds', async () => {
    const { program } = stage
    const person = await somebody('creator-pro')
    const id = await told(person.id, [wentLive(program.clock.now() - HOUR)])
    // The next push comes 1.5 s into each five seconds: nobody has to wait for it if it is nearly that late.
    program.clock.move(5_000 + 1_000 - (program.clock.now() % 5_000))
    const sample = {
      streamNo: await numberOf(program.db, id),
      state: LIVE_STATE,
      kbps: 2500,
      fps: 300,
      speed: 1000,
      unsentKb: 0,
    }
    const slot = slotOf(program.clock.now())
    await createSamplesRepo(program.db).write([0, 1, 2].map((back) => ({ ...sample, at: slot - back })))
    const ends = new AbortController()
    const response = await fetch(`${program.url}/fitur/analytics/live`, {
      headers: bearer(person.token),
      signal: ends.signal,
    })
    const heard: string[] = []
    const reading = (async () => {
      for await (const chunk of response.body ?? []) heard.push(Buffer.from(chunk).toString())
    })().catch(() => {})
    const events = (): LiveFigures[] =>
      [...heard.join('').matchAll(/event: now\ndata: (.*)\n\n/g)].map(([, data]) => JSON.parse(data ?? ''))
    await waitFor('the first', async () => events().length > 0, { everyMs: 20 })
    expect(events()[0]?.streams).toMatchObject([{ streamId: id, state: 'live', health: 'good' }])
    expect(events()[0]?.streams[0]?.series.bitrateKbps).toEqual([2500, 2500, 2500])
    // What was sent is not sent again.
    await waitFor('the next', async () => events().length > 1, { timeoutMs: 30_000, everyMs: 20 })
    expect(events()[1]?.streams[0]?.series.at).toEqual([])
    await program.setPlan(person.email, 'starter')
    await waitFor('the refusal', async () => heard.join('').includes('event: refused'), { timeoutMs: 30_000 })
    ends.abort()
    await reading
    await tellStream(program.db, person.id, id, [wasStopped(program.clock.now())])
  })
})
