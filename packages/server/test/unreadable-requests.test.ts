import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { bearer, call, signIn, startProgram, type TestProgram } from './support/program.ts'

describe('a question to the API that cannot be read', () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(() => program.close())

  it.each([
    ['broken JSON', '{"email":', 'application/json', 400],
    ['no object', '[]', 'application/json', 400],
    ['another type', '<a/>', 'application/xml', 415],
    ['a huge body', `"${'x'.repeat(2_000_000)}"`, 'application/json', 413],
  ])('%s gets a clear answer and nothing inner', async (_, body, type, status) => {
    const response = await fetch(`${program.url}/auth/login`, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    })
    expect(response.status).toBe(status)
    const answer = (await response.json()) as { message: string }
    expect(answer).toMatchObject({ success: false, code: expect.any(String) })
    expect(answer.message).toMatch(/^[A-Z][\w ]+\.$/)
  })

  it('[API-08] an unknown address of the API is a JSON 404', async () => {
    const reply = await call(program.url, 'GET', '/fitur/unknown/thing')
    expect(reply).toMatchObject({
      status: 404,
      body: { success: false, message: expect.any(String), code: 'not_found' },
    })
  })

  it('a fault inside is a 500 with a request id and not a word about what broke', async () => {
    const { token } = await signIn(program.url)
    const other = openSqlite(join(program.dataDir, 'siarin.db'))
    await other.schema.alterTable('users').renameTo('users_gone').execute()
    const reply = await call(program.url, 'GET', '/auth/profile', { headers: bearer(token) })
    await other.schema.alterTable('users_gone').renameTo('users').execute()
    await other.destroy()
    expect(reply).toMatchObject({ status: 500, body: { success: false, code: 'internal' } })
    expect(reply.body.requestId).toBe(reply.headers.get('x-request-id'))
    expect(JSON.stringify(reply.body)).not.toMatch(/users|sqlite|stack/i)
  })
})
