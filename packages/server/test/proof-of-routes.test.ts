import { cachedClip } from '@siarin/testkit/clips'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startProgramOn } from './support/databases.ts'
import {
  bearer,
  call,
  fromAddress,
  personWithVideo,
  type Reply,
  randomAddress,
  type TestProgram,
} from './support/program.ts'
import { PROOF_TABLE, type ProofRow, type Stage } from './support/proof-table.ts'

const PASSWORD = 'rahasia-sekali'
const READS = new Set(['get', 'head', 'options'])

describe.each(DATABASES)('[SAFE-02] what a stolen session may change on $name', ({ open }) => {
  let program: TestProgram
  let owner: Awaited<ReturnType<typeof personWithVideo>>
  let stage: Stage
  const byKey = (method: string, path: string, body?: unknown): Promise<Reply> =>
    call(program.url, method, path, { body, headers: { 'x-api-key': owner.apiKey } })

  /** A token without the browser that it was given to, long after the password was typed. */
  async function stolen(): Promise<Record<string, string>> {
    const headers = fromAddress(randomAddress())
    const body = { email: owner.email, password: PASSWORD }
    const { token } = (await call(program.url, 'POST', '/auth/login', { body, headers })).body
    await program.db.updateTable('sessions').set({ confirmed_at: null }).execute()
    return { ...bearer(token), ...fromAddress(randomAddress()) }
  }

  beforeAll(async () => {
    program = await startProgramOn(open)
    owner = await personWithVideo(program, await cachedClip('klip.mp4', { seconds: 4 }))
    const newList = async (name: string) =>
      (await byKey('POST', '/fitur/playlist', { name, videos: ['klip.mp4', 'klip.mp4'] })).body.playlist
    const [scheduled, shown, free] = [await newList('Jadwal'), await newList('Tayang'), await newList('Bebas')]
    const target = { platform: 'lain', rtmpStream: 'rtmp://127.0.0.1:1/live/kunci' }
    const rule = { repeat: { kind: 'daily' }, windows: [{ start: '08:00', minutes: 5 }] }
    const broadcast = { source: `playlist:${scheduled.id}`, ...target }
    const schedule = (await byKey('POST', '/fitur/schedule', { rule, broadcast })).body.data
    const onAir = await byKey('POST', '/fitur/steam/start', {
      source: `playlist:${shown.id}`,
      looping: true,
      ...target,
    })
    expect(onAir.status).toBe(200)
    stage = {
      ...{ scheduledList: scheduled.id, shownList: shown.id, freeList: free.id, schedule: schedule.id },
      ...{ itemOfScheduled: scheduled.items[0].id, itemOfFree: free.items[0].id, target: '' },
    }
  })
  afterAll(() => program?.close())

  const send = ({ route, path, body }: ProofRow, headers: Record<string, string>): Promise<Reply> => {
    const [method = '', pattern = ''] = route.split(' ')
    const filled = path ? path(stage) : pattern.replaceAll(/\{\w+\}/g, 'tidak-ada')
    if (pattern === '/fitur/branding/logo' && method === 'PUT') return putLogo(filled, headers)
    return call(program.url, method, filled, { body, headers })
  }
  async function putLogo(path: string, headers: Record<string, string>): Promise<Reply> {
    const type = { 'content-type': 'image/png' }
    const reply = await fetch(program.url + path, { method: 'PUT', body: 'x', headers: { ...headers, ...type } })
    return { status: reply.status, headers: reply.headers, body: await reply.json() }
  }

  it('is said of every call that changes something', async () => {
    const { paths } = (await call(program.url, 'GET', '/openapi.json')).body
    const changing = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => !READS.has(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect([...new Set(PROOF_TABLE.map(({ route }) => route))].sort()).toEqual(changing.sort())
  })

  it.each(PROOF_TABLE.filter(({ asks }) => asks))('asks for proof: $route $body ($why)', async (row) => {
    expect(await send(row, await stolen())).toMatchObject({ status: 403, body: { code: 'password_needed' } })
    // A program is known by its key. Where it has no key, it has no such call.
    expect((await send(row, { 'x-api-key': owner.apiKey })).body.code).not.toBe('password_needed')
  })

  it.each(PROOF_TABLE.filter(({ asks }) => !asks))('asks for none: $route $body ($why)', async (row) => {
    const reply = await send(row, await stolen())
    expect(reply.body?.code).not.toBe('password_needed')
    expect(reply.status).not.toBe(500)
  })
})
