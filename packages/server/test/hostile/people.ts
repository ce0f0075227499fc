import { createHash } from 'node:crypto'
import { waitFor } from '@siarin/testkit/wait-for'
import { bearer, call, fromAddress, newUser, randomAddress, type TestUser, uploadVideo } from '../support/program.ts'
import { streamCalls } from '../support/streams.ts'
import type { Chance } from './chance.ts'
import type { Identity } from './hostile-requests.ts'

export interface Person {
  readonly user: TestUser
  readonly apiKey: () => string
  readonly token: () => string
  /** What this person has, by name or id. */
  readonly real: readonly string[]
  readonly right: Record<string, unknown>
  /** For one whose key or session a request has ended: if the refused one had carried what was right until then. */
  logInIfEnded(sent: Record<string, string>): Promise<void>
}

/** Nobody listens there: a broadcast to it ends at once. */
const NOBODY = { url: 'rtmp://127.0.0.1:1/live' }

/** Somebody with a video, two platform accounts and a broadcast that has ended. */
export async function addPerson(url: string, clip: string): Promise<Person> {
  const user = newUser()
  let credentials = { apiKey: '', token: '' }
  const logIn = async () => {
    const { body } = await call(url, 'POST', '/auth/login', { body: user, headers: fromAddress(randomAddress()) })
    credentials = { apiKey: body.user.apiKey, token: body.token }
  }
  await call(url, 'POST', '/auth/register', { body: user, headers: fromAddress(randomAddress()) })
  await logIn()
  const { apiKey } = credentials
  const post = (path: string, body: object) => call(url, 'POST', path, { body, headers: { 'x-api-key': apiKey } })
  const filename: string = (await uploadVideo(url, apiKey, clip, `${user.username}.mp4`)).body.data.filename
  const accounts = [
    await post('/fitur/bigo/add', { siteId: user.username, name: 'Kamar' }),
    await post('/fitur/tiktok/add', { token: `token-${user.username}`, name: 'TikTok' }),
  ].map(({ body }): string => body.data.account_id)
  const calls = streamCalls(url, NOBODY)
  // Videos are prepared one at a time, and the others' may come first.
  const usable = async () => {
    const reply = await calls.start(apiKey, user.username, { source: filename })
    return reply.status === 200 && reply
  }
  const started = await waitFor('the video to be usable', usable, { timeoutMs: 300_000, everyMs: 300 })
  const { streamId } = started.body
  await calls.stop(apiKey, streamId)
  await waitFor('the end of the broadcast', async () => (await calls.history(apiKey)).length === 1)
  const [accountId = ''] = accounts
  return {
    user,
    apiKey: () => credentials.apiKey,
    token: () => credentials.token,
    real: [filename, streamId, ...accounts, user.username, user.email],
    right: {
      ...user,
      source: filename,
      platform: 'lain',
      rtmpStream: 'rtmp://nobody.example/live/key',
      looping: true,
      streamId,
      targetOf: streamId,
      accountId,
      siteId: 'kamar-lain',
      name: 'Nama',
      token: 'token-lain',
      title: 'Judul',
      url: 'http://nobody.example/x.m3u8',
      kind: 'viewed-live',
      // Not the true one: it would end the run for this person.
      currentPassword: 'salah-sekali',
      newPassword: 'rahasia-baru',
      confirm: user.username,
    },
    async logInIfEnded(sent) {
      const { apiKey, token } = credentials
      if (sent['x-api-key'] === apiKey || sent['authorization'] === bearer(token)['authorization']) await logIn()
    },
  }
}

/** What a request of this person carries: the key mostly, since calls with a session are few in a minute. */
export const identityOf = (chance: Chance, person: Person, target: Person, isAccountCall: boolean): Identity => ({
  credentials: {
    ...(isAccountCall && chance.percent(10) ? {} : { 'x-api-key': person.apiKey() }),
    ...(isAccountCall || chance.percent(5) ? bearer(person.token()) : {}),
  },
  ...knownOf(person, target),
})

/** What one knows of another: all but the password. */
export const knownOf = (person: Person | null, { real, right }: Person): Pick<Identity, 'real' | 'right'> => ({
  real,
  right: person?.right === right ? right : { ...right, password: 'salah-sekali' },
})

/** Everything of a person that others could have changed. What happened to the account (wrong logins) is told, and changes nothing. */
export async function belongingsOf(url: string, { apiKey, token }: Person): Promise<Record<string, unknown>> {
  const paths = [
    '/auth/profile',
    '/fitur/video',
    '/fitur/online',
    '/fitur/bigo/accounts',
    '/fitur/tiktok/accounts',
    '/fitur/steam/active',
    '/fitur/steam/history',
  ]
  const headers = { 'x-api-key': apiKey(), ...bearer(token()) }
  const found: Record<string, unknown> = {}
  for (const path of paths) {
    const { status, body } = await call(url, 'GET', path, { headers })
    // The room that is left is what the machine's disk has left.
    if (body.storage) body.storage = { used: body.storage.used }
    found[path] = { status, body }
  }
  const { data } = (await call(url, 'GET', '/fitur/video', { headers })).body
  const video = await fetch(`${url}/fitur/video/${encodeURIComponent(data[0].filename)}`, { headers })
  found['bytes'] = createHash('sha256')
    .update(new Uint8Array(await video.arrayBuffer()))
    .digest('hex')
  return found
}
