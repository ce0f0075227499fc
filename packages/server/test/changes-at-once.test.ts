import { SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_RACES } from './support/account-races.ts'
import { BOTH_DATABASES, startProgramOn } from './support/databases.ts'
import { addVideo, newOwner, type Owner } from './support/filled-lists.ts'
import { LIST_RACES } from './support/list-races.ts'
import { mailSettings } from './support/mail.ts'
import { call, type TestProgram } from './support/program.ts'
import { AT_ONCE, everyoneWasTaken, NEED_NO_RACE, othersWereRefused, type Race, taken } from './support/races.ts'
import { REPO_RACES } from './support/repo-races.ts'

const RULE = { repeat: { kind: 'daily' }, windows: [{ start: '08:00', minutes: 5 }] }
const CHANGES = new Set(['patch', 'put', 'post', 'delete'])
const DAY_MS = 86_400_000
const dayAfter = (days: number): string => new Date(Date.now() + (days + 2) * DAY_MS).toISOString().slice(0, 10)

const newSchedule = async ({ ask }: Owner): Promise<string> => {
  const broadcast = { source: 'klip.mp4', platform: 'lain', rtmpStream: 'rtmp://127.0.0.1:1/live/kunci-lama' }
  return (await ask('POST', '/fitur/schedule', { rule: RULE, broadcast })).body.data.id
}
const newTarget = async ({ ask }: Owner): Promise<string> => {
  const body = { name: 'Kanal', platform: 'lain', address: 'rtmp://localhost/live', key: 'kunci-lama' }
  return (await ask('POST', '/fitur/target', body)).body.data.id
}
const newList = async ({ ask }: Owner): Promise<string> =>
  (await ask('POST', '/fitur/playlist', { name: 'Daftar', videos: ['klip.mp4'] })).body.playlist.id
const newWebhook = async ({ ask }: Owner): Promise<string> =>
  (await ask('POST', '/fitur/webhook', { url: 'http://127.0.0.1:1/lama', events: ['stream.live'] })).body.data.id

async function requestOf({ sealer }: Owner, id: string, { db }: TestProgram) {
  const row = await db.selectFrom('schedules').select('request_sealed').where('id', '=', id).executeTakeFirstOrThrow()
  return JSON.parse(sealer.open(row.request_sealed).reveal())
}

const RACES: readonly Race[] = [
  {
    what: 'dates of a schedule that are skipped',
    shows: ['POST /fitur/schedule/{id}/skip'],
    prepare: newSchedule,
    send: ({ ask }, id, n) => ask('POST', `/fitur/schedule/${id}/skip`, { date: dayAfter(n) }),
    async kept({ ask }, id, replies) {
      everyoneWasTaken(replies)
      const { rule, version } = (await ask('GET', `/fitur/schedule/${id}`)).body.data
      expect(rule.exceptions).toEqual(Array.from({ length: AT_ONCE }, (_, n) => dayAfter(n)))
      expect(version).toBe(AT_ONCE)
    },
  },
  {
    what: 'a schedule of which each changes something else, or skips a date',
    shows: ['PATCH /fitur/schedule/{id}', 'POST /fitur/schedule/{id}/skip'],
    prepare: newSchedule,
    send: ({ ask }, id, n) => {
      if (n % 2 === 0) return ask('POST', `/fitur/schedule/${id}/skip`, { date: dayAfter(n) })
      return ask('PATCH', `/fitur/schedule/${id}`, n === 1 ? { title: 'Judul baru' } : { endAtPass: true })
    },
    async kept({ ask }, id, replies) {
      everyoneWasTaken(replies)
      const { title, rule, endAtPass } = (await ask('GET', `/fitur/schedule/${id}`)).body.data
      expect({ title, endAtPass, skipped: rule.exceptions }).toEqual({
        ...{ title: 'Judul baru', endAtPass: true, skipped: [dayAfter(0), dayAfter(2), dayAfter(4)] },
      })
    },
  },
  {
    what: 'the key of a schedule, and what else it starts',
    shows: ['PATCH /fitur/schedule/{id}'],
    prepare: newSchedule,
    send: ({ ask }, id, n) => {
      const key = { platform: 'lain', rtmpStream: `rtmp://127.0.0.1:1/live/kunci-baru-${n}` }
      const broadcast = { source: 'klip.mp4', ...(n % 2 === 0 ? key : { title: `Judul ${n}` }) }
      return ask('PATCH', `/fitur/schedule/${id}`, { broadcast })
    },
    async kept(owner, id, replies, program) {
      othersWereRefused(replies)
      expect(taken(replies).length).toBeGreaterThan(0)
      const { rtmpStream } = await requestOf(owner, id, program)
      const newKeys = replies.filter(({ status }, n) => status === 200 && n % 2 === 0)
      if (newKeys.length > 0) expect(rtmpStream).toContain('kunci-baru')
    },
  },
  {
    what: 'a schedule that each has loaded before',
    shows: ['PATCH /fitur/schedule/{id}'],
    prepare: newSchedule,
    send: ({ ask }, id, n) => ask('PATCH', `/fitur/schedule/${id}`, { title: `Judul ${n}`, version: 0 }),
    async kept({ ask }, id, replies) {
      othersWereRefused(replies)
      const [winner, ...more] = taken(replies)
      expect(more).toEqual([])
      const { title, version } = (await ask('GET', `/fitur/schedule/${id}`)).body.data
      expect({ title, version }).toEqual({ title: winner?.body.data.title, version: 1 })
      const loser = replies.find(({ status }) => status === 409)
      expect(loser?.body).toEqual({
        ...{ success: false, code: 'schedule_changed', message: SCHEDULE_TEXTS.changedMeanwhile },
      })
    },
  },
  {
    what: 'the key of a target, and its preset',
    shows: ['PATCH /fitur/target/{id}'],
    prepare: newTarget,
    send: ({ ask }, id, n) =>
      ask('PATCH', `/fitur/target/${id}`, n % 2 === 0 ? { key: `kunci-ke-${n}` } : { preset: 'restream' }),
    async kept({ ask }, id, replies) {
      othersWereRefused(replies)
      const { keyHint, preset } = (await ask('GET', `/fitur/target/${id}`)).body.data
      const isTaken = (n: number) => replies[n]?.status === 200
      if ([0, 2, 4].some(isTaken)) expect(keyHint).not.toBe('••••lama')
      if ([1, 3, 5].some(isTaken)) expect(preset).toBe('restream')
      expect(taken(replies).length).toBeGreaterThan(0)
    },
  },
  {
    what: 'the items of a playlist',
    shows: ['POST /fitur/playlist/{id}/items'],
    prepare: newList,
    send: ({ ask }, id) => ask('POST', `/fitur/playlist/${id}/items`, { videos: ['klip.mp4'] }),
    async kept({ ask }, id, replies) {
      everyoneWasTaken(replies)
      expect((await ask('GET', `/fitur/playlist/${id}`)).body.playlist.items).toHaveLength(1 + AT_ONCE)
    },
  },
  {
    what: 'a webhook of which each changes something else',
    shows: ['PATCH /fitur/webhook/{id}'],
    prepare: newWebhook,
    send: ({ ask }, id, n) =>
      ask(
        'PATCH',
        `/fitur/webhook/${id}`,
        [{ description: 'Baru' }, { url: 'http://127.0.0.1:1/baru' }, { events: ['video.ready'] }][n % 3],
      ),
    async kept({ ask }, id, replies) {
      everyoneWasTaken(replies)
      const { description, url, events } = (await ask('GET', `/fitur/webhook/${id}`)).body.data
      expect({ description, url, events }).toEqual({
        ...{ description: 'Baru', url: 'http://127.0.0.1:1/baru', events: ['video.ready'] },
      })
    },
  },
  {
    what: 'the text and the colours of a brand',
    shows: ['PUT /fitur/branding'],
    prepare: async () => '',
    send: ({ ask }, _, n) =>
      ask(
        'PUT',
        '/fitur/branding',
        n % 2 === 0 ? { text: 'Toko kami' } : { colours: { text: '#ffffff', background: '#112233' } },
      ),
    async kept({ ask }, _, replies) {
      everyoneWasTaken(replies)
      expect((await ask('GET', '/fitur/branding')).body.kit).toMatchObject({
        ...{ text: 'Toko kami', colours: { background: '#112233' } },
      })
    },
  },
  {
    what: 'the name of an alert channel, and whether it is on',
    shows: ['PATCH /fitur/alert/channel/{id}'],
    async prepare({ ask }) {
      const url = `http://127.0.0.1:1/api/webhooks/1234567/${'k'.repeat(68)}`
      return (await ask('POST', '/fitur/alert/channel/discord', { url })).body.data.id
    },
    send: ({ ask }, id, n) =>
      ask('PATCH', `/fitur/alert/channel/${id}`, n % 2 === 0 ? { name: 'Nama baru' } : { on: false }),
    async kept({ ask }, id, replies) {
      everyoneWasTaken(replies)
      const { data } = (await ask('GET', '/fitur/alert/channel')).body
      expect(data.find((each: { id: string }) => each.id === id)).toMatchObject({ name: 'Nama baru', state: 'off' })
    },
  },
  {
    what: 'a video that failed, and is prepared again',
    shows: ['POST /fitur/video/retry/{filename}'],
    async prepare({ userId, videoId }, { db }) {
      await addVideo(db, userId, { id: `gagal-${videoId}`, filename: 'gagal.mp4', status: 'failed' })
      return 'gagal.mp4'
    },
    send: ({ ask }, filename) => ask('POST', `/fitur/video/retry/${filename}`),
    async kept(_, __, replies) {
      othersWereRefused(replies)
      expect(taken(replies)).toHaveLength(1)
    },
  },
  {
    what: 'a schedule that is paused, goes on, and gets another title',
    shows: ['POST /fitur/schedule/{id}/pause', 'POST /fitur/schedule/{id}/resume', 'PATCH /fitur/schedule/{id}'],
    prepare: newSchedule,
    send: ({ ask }, id, n) => {
      if (n % 3 === 2) return ask('PATCH', `/fitur/schedule/${id}`, { title: 'Judul baru' })
      return ask('POST', `/fitur/schedule/${id}/${n % 3 === 0 ? 'pause' : 'resume'}`)
    },
    async kept(_, id, replies, { db }) {
      everyoneWasTaken(replies)
      const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      expect(row).toMatchObject({ title: 'Judul baru', revision: AT_ONCE })
      // What is planned is planned by the last of them.
      const due = await db.selectFrom('schedule_occurrences').select('id').where('schedule_id', '=', id).execute()
      expect(due.length > 0).toBe(row.paused_at === null)
    },
  },
  {
    what: 'a webhook that is paused and goes on',
    shows: ['POST /fitur/webhook/{id}/pause', 'POST /fitur/webhook/{id}/resume'],
    prepare: newWebhook,
    send: ({ ask }, id, n) => ask('POST', `/fitur/webhook/${id}/${n % 2 === 0 ? 'pause' : 'resume'}`),
    async kept({ ask }, id, replies) {
      everyoneWasTaken(replies)
      const { state, stateReason } = (await ask('GET', `/fitur/webhook/${id}`)).body.data
      // None is left half way, where the plan would say whether it goes on.
      expect([state === 'active' || state === 'paused', stateReason]).toEqual([true, null])
    },
  },
  {
    what: 'the secret of a webhook, and what else it has',
    shows: ['POST /fitur/webhook/{id}/rotate-secret', 'PATCH /fitur/webhook/{id}'],
    prepare: newWebhook,
    send: ({ ask }, id, n) => {
      if (n === 0) return ask('PATCH', `/fitur/webhook/${id}`, { description: 'Baru' })
      return ask('POST', `/fitur/webhook/${id}/rotate-secret`)
    },
    async kept({ sealer }, id, replies, { db }) {
      everyoneWasTaken(replies)
      const row = await db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      expect(row.description).toBe('Baru')
      const [now, before] = [row.secret_sealed, row.old_secret_sealed ?? ''].map((text) => sealer.open(text).reveal())
      const answered = replies.map(({ body }) => body.secret)
      // The last two sign, as after two that do not come at once.
      expect([answered.includes(now), answered.includes(before), now === before]).toEqual([true, true, false])
    },
  },
  ...LIST_RACES,
  ...ACCOUNT_RACES,
]

/** SQLite has one writer at a time: a change that is lost is lost on PostgreSQL first. */
const databases = isWholeRun ? BOTH_DATABASES : BOTH_DATABASES.filter(({ name }) => name === 'PostgreSQL')

describe.each(databases)('[SAFE-07] changes that come at once are all kept on $name', ({ open }) => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgramOn(open, mailSettings('smtp://127.0.0.1:1'))
  })
  afterAll(() => program?.close())

  it('is said of every call that changes something', async () => {
    const { paths } = (await call(program.url, 'GET', '/openapi.json')).body
    const changing = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => CHANGES.has(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    const shown = RACES.flatMap(({ shows }) => shows)
    const others = Object.values(NEED_NO_RACE).flat()
    expect([...new Set([...shown, ...others])].sort()).toEqual(changing.sort())
    expect(others.filter((route, index) => shown.includes(route) || others.indexOf(route) !== index)).toEqual([])
  })

  it.each(RACES)('$what', async ({ what, prepare, send, kept }) => {
    const owner = await newOwner(program)
    const id = await prepare(owner, program)
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => send(owner, id, n, program)))
    process.stdout.write(`${what}: ${replies.map(({ status }) => status).join(' ')}\n`)
    await kept(owner, id, replies, program)
  })

  it.each(REPO_RACES)('$what', async ({ run }) => run(await newOwner(program), program))
})
