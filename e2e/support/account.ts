import { randomBytes } from 'node:crypto'
import type { APIRequestContext, APIResponse, Page } from '@playwright/test'
import { LoginAnswer, type RegisterBody, type SessionUser } from '@siarin/contracts/auth'

type Credentials = Pick<RegisterBody, 'email' | 'password'>
type Session = { token: string; user: SessionUser }

export type Account = {
  /** Registers someone nobody else knows; `overrides` replaces single fields. */
  register(overrides?: Partial<RegisterBody>): Promise<RegisterBody>
  session(user: Credentials): Promise<Session>
  /** As the holder of this token: a session that has ended is answered 401. */
  profile(token: string): Promise<APIResponse>
  /** Logs the page's browser in, without the form, from the next screen on: go to one. */
  login(page: Page, user: Credentials): Promise<Session>
}

/** The calls go through `request`, so they carry the test's own address. */
export function createAccount(request: APIRequestContext): Account {
  const session = async ({ email, password }: Credentials): Promise<Session> => {
    const answer = await request.post('/auth/login', { data: { email, password } })
    if (!answer.ok()) throw new Error(`login answered ${answer.status()}: ${await answer.text()}`)
    const { token, user } = LoginAnswer.parse(await answer.json())
    return { token, user }
  }

  return {
    session,
    profile: (token) => request.get('/auth/profile', { headers: { Authorization: `Bearer ${token}` } }),
    async register(overrides = {}) {
      const name = `user${randomBytes(5).toString('hex')}`
      const body = { username: name, email: `${name}@gmail.com`, password: `pass-${name}`, ...overrides }
      const answer = await request.post('/auth/register', { data: body })
      if (!answer.ok()) throw new Error(`register answered ${answer.status()}: ${await answer.text()}`)
      return body
    },
    async login(page, user) {
      const { token, user: known } = await session(user)
      // As after a login by the form: the browser is known again by its cookie.
      await page.context().addCookies((await request.storageState()).cookies)
      // Written as the first document comes, and never again: a script that wrote it on every navigation would bring the session back after
      // a logout.
      await page.addInitScript(
        ({ mark, entries }) => {
          if (!location.protocol.startsWith('http') || sessionStorage.getItem(mark)) return
          sessionStorage.setItem(mark, 'done')
          for (const [key, value] of entries) localStorage.setItem(key, value)
        },
        {
          mark: `login-${randomBytes(4).toString('hex')}`,
          entries: [
            ['token', token],
            ['user', JSON.stringify(known)],
          ] as const,
        },
      )
      return { token, user: known }
    },
  }
}
