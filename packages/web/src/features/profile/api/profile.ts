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

export async function regenerateApiKey(): Promise<{ apiKey: string; message: string }> {
  const { data } = await withProof(() => http.post<Partial<ApiKeyAnswer>>('/auth/profile/apikey'))
  const apiKey = data.apiKey ?? data.data?.apiKey
  if (!apiKey) throw new Error('The answer carries no API key.')
  return { apiKey, message: data.message ?? '' }
}
