import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_ALERT_SETTINGS } from '@siarin/contracts/alerts'
import { expect } from 'vitest'
import { stepAt, totpAt } from '../../src/modules/identity/totp.ts'
import { brandCalls } from './brand.ts'
import type { Owner } from './filled-lists.ts'
import type { TestProgram } from './program.ts'
import { everyoneWasTaken, othersWereRefused, type Race, taken } from './races.ts'

const ZONES = ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura', 'Asia/Tokyo', 'Asia/Kolkata', 'Europe/Paris']
const logoOf = (n: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${8 + n}" height="8"><rect width="8" height="8"/></svg>`
const newPassword = (n: number): string => `hujan-di-ubud-${n}`

/** The one that counts, among those that were answered. */
async function secondFactorOf({ userId, sealer }: Owner, { db }: TestProgram): Promise<string> {
  const row = await db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
  return sealer.open(row.secret_sealed).reveal()
}

/** What somebody has once: who is told, the brand, and what opens the account. */
export const ACCOUNT_RACES: readonly Race[] = [
  {
    what: 'the settings of alerts, and channels that are added',
    shows: ['PUT /fitur/alert/settings', 'POST /fitur/alert/channel/discord'],
    prepare: async () => '',
    send: ({ ask }, _, n) =>
      n % 2 === 0
        ? ask('PUT', '/fitur/alert/settings', { ...DEFAULT_ALERT_SETTINGS, offAirMinutes: 10 + n, zone: ZONES[n] })
        : ask('POST', '/fitur/alert/channel/discord', {
            url: `http://127.0.0.1:1/api/webhooks/123456${n}/${'k'.repeat(68)}`,
          }),
    async kept({ ask }, _, replies) {
      everyoneWasTaken(replies)
      const { data, saved } = (await ask('GET', '/fitur/alert/settings')).body
      expect(saved).toBe(true)
      expect([0, 2, 4].map((n) => `${10 + n} ${ZONES[n]}`)).toContain(`${data.offAirMinutes} ${data.zone}`)
      expect((await ask('GET', '/fitur/alert/channel')).body.data).toHaveLength(3)
    },
  },
  {
    what: 'the report by mail, which each wants otherwise',
    shows: ['PUT /fitur/analytics/report-mail'],
    prepare: async () => '',
    send: ({ ask }, _, n) => ask('PUT', '/fitur/analytics/report-mail', { on: n % 2 === 0, zone: ZONES[n] }),
    async kept({ ask }, _, replies) {
      everyoneWasTaken(replies)
      const { on, zone, lastMonth } = (await ask('GET', '/fitur/analytics/report-mail')).body.data
      expect(on).toBe(ZONES.indexOf(zone) % 2 === 0)
      // None is sent for the months before.
      expect(lastMonth).not.toBeNull()
    },
  },
  {
    what: 'the logo of a brand, and its text',
    shows: ['PUT /fitur/branding/logo', 'PUT /fitur/branding'],
    prepare: async () => '',
    send({ ask, apiKey }, _, n, program) {
      if (n === 0) return ask('PUT', '/fitur/branding', { text: 'Toko kami' })
      return brandCalls(program, apiKey).putLogo(logoOf(n), 'image/svg+xml')
    },
    async kept({ ask, apiKey, userId }, _, replies, { url, dataDir }) {
      everyoneWasTaken(replies)
      expect((await ask('GET', '/fitur/branding')).body.kit.text).toBe('Toko kami')
      // The file of the last one is there, and those of the others are not.
      const logo = await fetch(`${url}/fitur/branding/logo`, { headers: { 'x-api-key': apiKey } })
      expect(logo.status).toBe(200)
      expect(await readdir(join(dataDir, 'media', userId, 'brand'))).toHaveLength(1)
    },
  },
  {
    what: 'the password',
    shows: ['POST /auth/profile/password'],
    prepare: async () => '',
    send: ({ askAsPage, password }, _, n) =>
      askAsPage('POST', '/auth/profile/password', { currentPassword: password, newPassword: newPassword(n) }),
    async kept({ ask, email }, _, replies) {
      othersWereRefused(replies, 401)
      expect(taken(replies)).toHaveLength(1)
      const logins = replies.map((_reply, n) => ask('POST', '/auth/login', { email, password: newPassword(n) }))
      const opens = await Promise.all(logins)
      expect(opens.map(({ status }) => status)).toEqual(replies.map(({ status }) => status))
    },
  },
  {
    what: 'the key for programs: the last one counts',
    shows: ['POST /auth/profile/apikey'],
    prepare: async () => '',
    send: ({ askAsPage }) => askAsPage('POST', '/auth/profile/apikey', {}),
    async kept({ askAsPage }, _, replies, { url }) {
      everyoneWasTaken(replies)
      const keys: string[] = replies.map(({ body }) => body.apiKey)
      const opens = await Promise.all(keys.map((key) => fetch(`${url}/fitur/video`, { headers: { 'x-api-key': key } })))
      const open = keys.filter((_key, n) => opens[n]?.status === 200)
      expect(open).toEqual([(await askAsPage('GET', '/auth/profile')).body.data.apiKey])
    },
  },
  {
    what: 'the secret of an app: the last one counts',
    shows: ['POST /auth/second-factor'],
    prepare: async () => '',
    send: ({ askAsPage }) => askAsPage('POST', '/auth/second-factor'),
    async kept(owner, _, replies, program) {
      othersWereRefused(replies)
      const secrets = taken(replies).map(({ body }) => body.data.secret)
      expect(secrets).toContain(await secondFactorOf(owner, program))
    },
  },
  {
    what: 'recovery codes, each asked for with one of those before',
    shows: ['POST /auth/second-factor/codes'],
    async prepare({ askAsPage }, { clock }) {
      const { secret } = (await askAsPage('POST', '/auth/second-factor')).body.data
      const code = totpAt(secret, stepAt(clock.now()))
      return (await askAsPage('POST', '/auth/second-factor/confirm', { code })).body.data.recoveryCodes.join(' ')
    },
    send: ({ askAsPage, password }, codes, n) =>
      askAsPage('POST', '/auth/second-factor/codes', { password, code: codes.split(' ')[n] }),
    async kept({ askAsPage, email, password }, _, replies) {
      othersWereRefused(replies, 401)
      expect((await askAsPage('GET', '/auth/second-factor')).body.data).toEqual({
        enabled: true,
        recoveryCodesLeft: 10,
      })
      // They are those of one answer.
      const { challenge } = (await askAsPage('POST', '/auth/login', { email, password })).body
      const tries = taken(replies).map(({ body }) =>
        askAsPage('POST', '/auth/login/code', { challenge, code: body.data.recoveryCodes[0] }),
      )
      expect(taken(await Promise.all(tries))).toHaveLength(1)
    },
  },
]
