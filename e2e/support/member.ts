import type { APIRequest, Page } from '@playwright/test'
import type { RegisterBody, SessionUser } from '@siarin/contracts/auth'
import { createAccount } from './account.ts'
import { uploadByApi, videosReady } from './videos-by-api.ts'

export const OWNED_VIDEO = 'kebun.mp4'

export type Member = {
  credentials: RegisterBody
  token: string
  user: SessionUser
  /** Logs the page in before its first screen, at no cost. Not for a test that logs out: each new document is logged in again. */
  enter(page: Page): Promise<void>
}

type MemberOptions = { baseURL: string; address: string; videos?: readonly string[] }

/** Somebody with an account, a session and these videos, ready. */
export async function createMember(api: APIRequest, { baseURL, address, videos = [] }: MemberOptions): Promise<Member> {
  const request = await api.newContext({ baseURL, extraHTTPHeaders: { 'X-Forwarded-For': address } })
  try {
    const account = createAccount(request)
    const credentials = await account.register()
    const { token, user } = await account.session(credentials)
    for (const file of videos) await uploadByApi(request, user, file)
    await videosReady(request, user)
    const { cookies } = await request.storageState()
    const entries: [string, string][] = [
      ['token', token],
      ['user', JSON.stringify(user)],
    ]
    return {
      credentials,
      token,
      user,
      async enter(page) {
        await page.context().addCookies(cookies)
        await page.addInitScript((stored) => {
          for (const [key, value] of stored) if (!localStorage.getItem(key)) localStorage.setItem(key, value)
        }, entries)
      },
    }
  } finally {
    await request.dispose()
  }
}
