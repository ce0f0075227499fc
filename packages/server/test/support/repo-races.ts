import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createTelegramLinksRepo } from '../../src/modules/alerts/channels/telegram-links.repo.ts'
import { createBrandRepo } from '../../src/modules/branding/brand.repo.ts'
import { createMailLinksRepo } from '../../src/modules/identity/mail-links.repo.ts'
import { createSecondFactorRepo } from '../../src/modules/identity/second-factor.repo.ts'
import type { Owner } from './filled-lists.ts'
import type { TestProgram } from './program.ts'
import { AT_ONCE } from './races.ts'

interface RepoRace {
  readonly what: string
  run(owner: Owner, program: TestProgram): Promise<void>
}

const DAY_MS = 86_400_000
const atOnce = <T>(send: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, n) => send(n)))

/** Where a call does so much before it writes that several calls seldom write at the same moment. */
export const REPO_RACES: readonly RepoRace[] = [
  {
    what: 'the code for a Telegram chat that is asked for several times: the last one counts',
    async run({ userId }, { db }) {
      const { put } = createTelegramLinksRepo(db)
      const link = { user_id: userId, bot_id: '1', bot_name: 'bot', token_sealed: '', created_at: 1, expires_at: 9e12 }
      const codes = Array.from({ length: AT_ONCE }, () => ({ ...link, id: randomUUID(), used_at: null }))
      await Promise.all(codes.map((code) => put({ ...code, code_hash: code.id })))
      const kept = await db.selectFrom('telegram_links').select('id').where('user_id', '=', userId).execute()
      expect(kept).toHaveLength(1)
    },
  },
  {
    what: 'a link that verifies an address and is asked for several times: one counts',
    async run({ userId }, { db }) {
      const { add } = createMailLinksRepo(db)
      const link = { userId, kind: 'verify', now: Date.now(), lifeMs: DAY_MS } as const
      await atOnce(() => add({ ...link, tokenHash: randomUUID() }))
      const kept = await db.selectFrom('mail_links').select('id').where('user_id', '=', userId).execute()
      expect(kept).toHaveLength(1)
    },
  },
  {
    what: 'recovery codes that are made several times: those of one answer count',
    async run({ userId }, { db }) {
      const session = db.selectFrom('sessions').select('id').where('user_id', '=', userId)
      const caller = { userId, sessionId: (await session.executeTakeFirstOrThrow()).id }
      const now = Date.now()
      const factor = { user_id: userId, secret_sealed: 'sealed', created_at: now, confirmed_at: now }
      await db.insertInto('second_factors').values(factor).execute()
      const { replaceCodes } = createSecondFactorRepo(db)
      await atOnce((n) => replaceCodes(caller, 'sealed', [`${n} one`, `${n} two`]))
      const kept = await db.selectFrom('recovery_codes').select('code_mark').where('user_id', '=', userId).execute()
      const answers = new Set(kept.map(({ code_mark }) => code_mark.split(' ')[0]))
      expect([kept.length, answers.size]).toEqual([2, 1])
    },
  },
  {
    what: 'a logo that is put several times: each file but that of the last one is given back, once',
    async run({ userId }, { db }) {
      const { setLogo, kitOf } = createBrandRepo(db)
      const logo = { logo_hash: 'hash', logo_width: 8, logo_height: 8 }
      const givenBack = await atOnce((n) => setLogo(userId, { ...logo, logo_key: `logo ${n}` }, Date.now()))
      const keys = [...givenBack.filter((key) => key !== null), (await kitOf(userId))?.logo_key]
      expect(keys.sort()).toEqual(Array.from({ length: AT_ONCE }, (_, n) => `logo ${n}`))
    },
  },
]
