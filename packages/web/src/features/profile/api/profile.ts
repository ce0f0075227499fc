import type { ApiKeyAnswer } from '@siarin/contracts/auth'
import { queryOptions } from '@tanstack/react-query'
import { http } from '../../../lib/http.ts'
import { fetchProfile } from '../../../lib/own-profile.ts'
import { withProof } from '../../../lib/proof.ts'

export const profileQuery = () =>
  queryOptions({
    queryKey: ['profile'],
    queryFn: ({ signal }) => fetchProfile(signal),
  })

/** `code`: of the second factor, where there is one. */
export async function regenerateApiKey(code?: string): Promise<{ apiKey: string; message: string }> {
  const body = code ? { code } : undefined
  const { data } = await withProof(() => http.post<Partial<ApiKeyAnswer>>('/auth/profile/apikey', body))
  const apiKey = data.apiKey ?? data.data?.apiKey
  if (!apiKey) throw new Error('The answer carries no API key.')
  return { apiKey, message: data.message ?? '' }
}
