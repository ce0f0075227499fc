import { waitFor } from '@siarin/testkit/wait-for'
import { type Fact, writeFacts } from '../../src/platform/outbox/facts.ts'
import { bearer, call, fromAddress, randomAddress, signIn, type TestProgram } from './program.ts'

/** A person with the calls about alerts, and what happens to their broadcasts as far as the outbox knows. */
export async function alertPerson(program: Pick<TestProgram, 'url' | 'db'>) {
  const { user, token, password } = await signIn(program.url)
  const headers = bearer(token)
  const ask = (method: string, path: string, body?: unknown) =>
    call(program.url, method, `/fitur/alert${path}`, { headers, ...(body !== undefined && { body }) })
  const { id } = await program.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', user.email)
    .executeTakeFirstOrThrow()
  return {
    ...{ id, user, headers, ask },
    /** In another browser, at another address. Answers its token. */
    async loginElsewhere(): Promise<string> {
      const login = { body: { email: user.email, password }, headers: fromAddress(randomAddress()) }
      return (await call(program.url, 'POST', '/auth/login', login)).body.token
    },
    tell: (streamId: string, ...facts: Fact[]) =>
      writeFacts(program.db, { kind: 'stream', id: streamId, userId: id }, facts),
    told: (count: number) =>
      waitFor(`${count} alerts`, async () => {
        const { body } = await ask('GET', '')
        return body.data.length === count && body
      }),
  }
}
