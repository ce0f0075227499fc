import type { AskResetBody, ResetPasswordBody } from '@siarin/contracts/recovery'
import { http } from '../../../lib/http.ts'

/** Each answers what the server says about it. */
async function send(path: string, body: object): Promise<string> {
  const { data } = await http.post<{ success?: boolean; message?: string }>(path, body)
  return data.message ?? ''
}

export const askReset = (body: AskResetBody): Promise<string> => send('/auth/forgot', body)

export const resetPassword = (body: ResetPasswordBody): Promise<string> => send('/auth/reset', body)

export const verifyEmail = (token: string): Promise<string> => send('/auth/verify', { token })
