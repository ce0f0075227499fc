import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { bearer, call, signIn, type TestProgram } from './support/program.ts'

const ID = 'Permintaan tidak bisa dibaca.'
const EN = 'The request could not be read.'

describe.each(DATABASES)('a NUL character on $name', ({ open }) => {
  let program: TestProgram
  let apiKey: string
  let headers: Record<string, string>

  beforeAll(async () => {
    program = await startProgramOn(open)
    const { token, user } = await signIn(program.url)
    apiKey = user.apiKey
    headers = bearer(token)
  })
  afterAll(() => program.close())

  it.each([
    ['GET', '/fitur/steam/%00/events', undefined, ID],
    ['GET', '/fitur/steam/a%00b/preview', undefined, ID],
    ['GET', '/fitur/steam/active?other=%00', undefined, ID],
    ['GET', '/fitur/steam/active?other=a&other=%00', undefined, ID],
    ['GET', '/fitur/video/a%00.mp4', undefined, ID],
    ['DELETE', '/fitur/online/%00', undefined, ID],
    ['DELETE', '/fitur/bigo/%00', undefined, ID],
    ['POST', '/fitur/steam/stop', { streamId: 'a\u0000b' }, ID],
    ['POST', '/fitur/steamlabs/start', { accountId: 'a\u0000' }, ID],
    ['POST', '/auth/login', { email: 'a@gmail.com', password: 'rahasia\u0000sekali' }, EN],
  ])('is refused in %s %s %j', async (method, path, body, message) => {
    const reply = await call(program.url, method, path, { headers: { ...headers, 'x-api-key': apiKey }, body })
    expect([reply.status, reply.body]).toEqual([400, { success: false, code: 'invalid_input', message }])
  })

  it('in a key makes it a wrong one', async () => {
    expect((await call(program.url, 'GET', '/fitur/steam/active?apiKey=a%00b')).status).toBe(401)
  })

  it('is found deep in a body, where no schema says what belongs into it', async () => {
    const send = (innermost: string, depth = 30) =>
      fetch(`${program.url}/fitur/bigo/unknown`, {
        method: 'DELETE',
        headers: { ...headers, 'content-type': 'application/json' },
        body: `{"more":${'['.repeat(depth)}${innermost}${']'.repeat(depth)}}`,
      })
    expect((await send('"\\u0000"')).status).toBe(400)
    expect((await send('"x"')).status).toBe(404)
    expect((await send('"x"', 100)).status).toBe(400)
  })
})
