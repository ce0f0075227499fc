import type { SessionsAnswer } from '@siarin/contracts/auth'
import { queryOptions } from '@tanstack/react-query'
import { http } from '../../../lib/http.ts'

/** Where the person is logged in. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await http.get<SessionsAnswer>('/auth/sessions', { signal })).data.data,
    refetchOnMount: 'always',
  })

export async function endSession(id: string): Promise<string> {
  const { data } = await http.delete<{ message?: string }>(`/auth/sessions/${encodeURIComponent(id)}`)
  return data.message ?? ''
}
