import { http } from '../../../lib/http.ts'

/** Answers what the server says about it. */
export async function resendVerification(): Promise<string> {
  const { data } = await http.post<{ message?: string }>('/auth/verify/resend')
  return data.message ?? ''
}
