import type { Profile, ProfileAnswer } from '@siarin/contracts/auth'
import { http } from './http.ts'
import { getSession, updateUser } from './session.ts'

/** The server answered, but without a profile. */
export class NoProfileError extends Error {
  override readonly message = 'No profile data returned from server.'
}

/** Another device may have changed the key: what the server says replaces what the browser kept. */
function keepUser({ username, email, apiKey: told, server }: Profile): void {
  const user = getSession().user
  // Not told to a session that has to prove its password first.
  const apiKey = told || (user?.apiKey ?? '')
  if (user?.username === username && user.email === email && user.apiKey === apiKey && user.server === server) return
  updateUser({ username, email, apiKey, server })
}

export async function fetchProfile(signal?: AbortSignal): Promise<Profile> {
  const { data: answer } = await http.get<Partial<ProfileAnswer>>('/auth/profile', { ...(signal && { signal }) })
  if (!answer.data) throw new NoProfileError()
  keepUser(answer.data)
  return answer.data
}
