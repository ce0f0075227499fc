import { expect } from 'vitest'
import type { Owner } from './filled-lists.ts'
import type { Reply, TestProgram } from './program.ts'

export const AT_ONCE = 6

export interface Race {
  readonly what: string
  /** The operations that it shows, as in `/openapi.json`. */
  readonly shows: readonly string[]
  /** Returns what the calls are made on. */
  prepare(owner: Owner, program: TestProgram): Promise<string>
  /** The n-th of those that come at once. */
  send(owner: Owner, id: string, n: number, program: TestProgram): Promise<Reply>
  /** What there is afterwards, by what each answer promised. */
  kept(owner: Owner, id: string, replies: readonly Reply[], program: TestProgram): Promise<void>
}

export const taken = (replies: readonly Reply[]): readonly Reply[] => replies.filter(({ status }) => status === 200)
/** Those that were not taken were refused, with words. */
export const othersWereRefused = (replies: readonly Reply[], refusal = 409): void =>
  expect(replies.map(({ status }) => status).filter((status) => status !== 200 && status !== refusal)).toEqual([])
export const everyoneWasTaken = (replies: readonly Reply[]): void => expect(taken(replies)).toHaveLength(AT_ONCE)

const ADDS = 'adds a row; limits-at-once.test.ts has many of them at once'
const DELETES = 'takes a row away, or ends it: a second time finds nothing'
const ONE_STATEMENT = 'writes what it was sent by one statement, whatever was there'
const ONCE = 'uses up a code or a link by one statement, so it counts for one caller'
const NO_ROW = 'writes nothing that anyone else changes'
const QUEUED = 'sends a message; the tests of its queue have several workers at once'

/** Every other operation that changes something, by why it needs no race. */
export const NEED_NO_RACE: Readonly<Record<string, readonly string[]>> = {
  [ADDS]: [
    ...['POST /fitur/steam/start', 'POST /fitur/steamlabs/start', 'POST /fitur/broadcast', 'POST /fitur/schedule'],
    ...['POST /fitur/playlist', 'POST /fitur/target', 'POST /fitur/webhook', 'POST /fitur/online/add'],
    ...['POST /fitur/bigo/add', 'POST /fitur/tiktok/add', 'POST /fitur/video/upload', 'POST /fitur/video/import'],
    ...['POST /fitur/video/rendition/{filename}', 'POST /fitur/recording/{id}/video', 'POST /fitur/activity'],
    ...['POST /fitur/alert/channel/push', 'POST /fitur/alert/channel/email', 'POST /fitur/alert/channel/telegram'],
    ...['POST /auth/register', 'POST /auth/login', 'POST /auth/forgot', 'POST /auth/verify/resend'],
  ],
  [DELETES]: [
    ...['DELETE /fitur/schedule/{id}', 'DELETE /fitur/playlist/{id}', 'DELETE /fitur/target/{id}'],
    ...['DELETE /fitur/webhook/{id}', 'DELETE /fitur/online/{id}', 'DELETE /fitur/bigo/{accountId}'],
    ...['DELETE /fitur/tiktok/{accountId}', 'DELETE /fitur/recording/{id}', 'DELETE /fitur/video/delete/{filename}'],
    ...['DELETE /fitur/video/rendition/{filename}', 'DELETE /fitur/alert/channel/{id}'],
    ...['DELETE /fitur/alert/channel/telegram', 'POST /fitur/alert/channel/push/remove'],
    ...['POST /fitur/broadcast/{id}/stop', 'DELETE /auth/profile', 'DELETE /auth/sessions/{sessionId}'],
    ...['POST /auth/logout', 'DELETE /fitur/branding/logo'],
  ],
  [ONE_STATEMENT]: [
    ...['POST /fitur/alert/{id}/read', 'POST /fitur/alert/read-all', 'POST /auth/profile/username'],
    ...['POST /fitur/target/{id}/test', 'POST /fitur/alert/channel/{id}/test', 'POST /auth/confirm'],
  ],
  [ONCE]: [
    ...['POST /auth/second-factor/confirm', 'POST /auth/second-factor/off', 'POST /auth/login/code'],
    ...['POST /auth/reset', 'POST /auth/verify'],
  ],
  'writes only what it chose by the items, in the lock of the list': ['POST /fitur/playlist/{id}/alike'],
  [NO_ROW]: ['POST /fitur/video/ticket'],
  [QUEUED]: ['POST /fitur/webhook/{id}/test', 'POST /fitur/webhook/{id}/deliveries/{deliveryId}/resend'],
}
