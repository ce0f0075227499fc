import { randomUUID } from 'node:crypto'
import { SCHEDULE_TEXTS } from '@siarin/contracts/schedules/schedule-texts'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTelegramLinksRepo } from '../src/modules/alerts/channels/telegram-links.repo.ts'
import { createMailLinksRepo } from '../src/modules/identity/mail-links.repo.ts'
import { BOTH_DATABASES, startProgramOn } from './support/databases.ts'
import { addVideo, newOwner, type Owner } from './support/filled-lists.ts'
import type { Reply, TestProgram } from './support/program.ts'

const AT_ONCE = 6
const RULE = { repeat: { kind: 'daily' }, windows: [{ start: '08:00', minutes: 5 }] }
const DAY_MS = 86_400_000
const dayAfter = (days: number): string => new Date(Date.now() + (days + 2) * DAY_MS).toISOString().slice(0, 10)

interface Race {
  readonly what: string
  /** Answers what the calls are made on. */
  prepare(owner: Owner, program: TestProgram): Promise<string>
  /** The n-th of those that come at once. */
  send(owner: Owner, id: string, n: number): Promise<Reply>
  /** What there is afterwards, by what each answer promised. */
  kept(owner: Owner, id: string, replies: readonly Reply[], program: TestProgram): Promise<void>
}

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

const taken = (replies: readonly Reply[]): readonly Reply[] => replies.filter(({ status }) => status === 200)
/** Those that were not taken were refused, with words. */
const othersWereRefused = (replies: readonly Reply[]): void =>
  expect(replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
const everyoneWasTaken = (replies: readonly Reply[]): void => expect(taken(replies)).toHaveLength(AT_ONCE)

async function requestOf({ sealer }: Owner, id: string, { db }: TestProgram) {
  const row = await db.selectFrom('schedules').select('request_sealed').where('id', '=', id).executeTakeFirstOrThrow()
  return JSON.parse(sealer.open(row.request_sealed).reveal())
}

const RACES: readonly Race[] = [
  {
    what: 'dates of a schedule that are skipped',
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
    prepare: newList,
    send: ({ ask }, id) => ask('POST', `/fitur/playlist/${id}/items`, { videos: ['klip.mp4'] }),
    async kept({ ask }, id, replies) {
      everyoneWasTaken(replies)
      expect((await ask('GET', `/fitur/playlist/${id}`)).body.playlist.items).toHaveLength(1 + AT_ONCE)
    },
  },
  {
    what: 'a webhook of which each changes something else',
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
]

/** SQLite has one writer at a time: a change that is lost is lost on PostgreSQL first. */
const databases = isWholeRun ? BOTH_DATABASES : BOTH_DATABASES.filter(({ name }) => name === 'PostgreSQL')

describe.each(databases)('[SAFE-07] changes that come at once are all kept on $name', ({ open }) => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgramOn(open)
  })
  afterAll(() => program?.close())

  it.each(RACES)('$what', async ({ what, prepare, send, kept }) => {
    const owner = await newOwner(program)
    const id = await prepare(owner, program)
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => send(owner, id, n)))
    process.stdout.write(`${what}: ${replies.map(({ status }) => status).join(' ')}\n`)
    await kept(owner, id, replies, program)
  })

  it('the code for a Telegram chat that is asked for several times: the last one counts', async () => {
    const { userId } = await newOwner(program)
    const { put } = createTelegramLinksRepo(program.db)
    const link = { user_id: userId, bot_id: '1', bot_name: 'bot', token_sealed: '', created_at: 1, expires_at: 9e12 }
    const codes = Array.from({ length: AT_ONCE }, () => ({ ...link, id: randomUUID(), used_at: null }))
    await Promise.all(codes.map((code) => put({ ...code, code_hash: code.id })))
    const kept = await program.db.selectFrom('telegram_links').select('id').where('user_id', '=', userId).execute()
    expect(kept).toHaveLength(1)
  })

  it('a link that verifies an address and is asked for several times: one counts', async () => {
    const { userId } = await newOwner(program)
    const { add } = createMailLinksRepo(program.db)
    const link = { userId, kind: 'verify', now: Date.now(), lifeMs: DAY_MS } as const
    await Promise.all(Array.from({ length: AT_ONCE }, () => add({ ...link, tokenHash: randomUUID() })))
    const kept = await program.db.selectFrom('mail_links').select('id').where('user_id', '=', userId).execute()
    expect(kept).toHaveLength(1)
  })
})
