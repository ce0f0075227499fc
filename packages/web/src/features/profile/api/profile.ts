import type { ApiKeyAnswer, Profile, ProfileAnswer } from '@siarin/contracts/auth'
import { queryOptions } from '@tanstack/react-query'
import { http } from '../../../lib/http.ts'
import { getSession, updateUser } from '../../../lib/session.ts'

/** The server answered, but without a profile. */
export class NoProfileError extends Error {
  override readonly message = 'No profile data returned from server.'
}

/** Another device may have changed the key: what the server says replaces what the browser kept. */
function keepUser({ username, email, apiKey, server }: Profile): void {
  const user = getSession().user
  if (user?.username === username && user.email === email && user.apiKey === apiKey && user.server === server) return
  updateUser({ username, email, apiKey, server })
}

export const profileQuery = () =>
  queryOptions({
    queryKey: ['profile'],
    queryFn: async ({ signal }): Promise<Profile> => {
      const { data: answer } = await http.get<Partial<ProfileAnswer>>('/auth/profile', { signal })
      if (!answer.data) throw new NoProfileError()
      keepUser(answer.data)
      return answer.data
    },
  })

export async function regenerateApiKey(): Promise<{ apiKey: string; message: string }> {
  const { data } = await http.post<Partial<ApiKeyAnswer>>('/auth/profile/apikey')
  const apiKey = data.apiKey ?? data.data?.apiKey
  if (!apiKey) throw new Error('The answer carries no API key.')
  return { apiKey, message: data.message ?? '' }
}
