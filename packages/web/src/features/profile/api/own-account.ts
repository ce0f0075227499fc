import type {
  ChangedPasswordAnswer,
  ChangePasswordBody,
  ChangeUsernameBody,
  DeleteAccountBody,
  UsernameAnswer,
} from '@siarin/contracts/auth'
import { http, leaveWith } from '../../../lib/http.ts'
import { clearSession, getSession, startSession, updateUser } from '../../../lib/session.ts'

/** Each answers what the server says about it. */
export async function changePassword(body: ChangePasswordBody): Promise<string> {
  const { data } = await http.post<ChangedPasswordAnswer>('/auth/profile/password', body)
  const { user } = getSession()
  // With the password the key is another one too, and so is the session.
  if (user) startSession(data.token, { ...user, apiKey: data.apiKey })
  return data.message ?? ''
}

export async function changeUsername(body: ChangeUsernameBody): Promise<string> {
  const { data } = await http.post<UsernameAnswer>('/auth/profile/username', body)
  const { user } = getSession()
  if (user) updateUser({ ...user, username: data.data.username })
  return data.message
}

/** With the account this browser's session is over too. */
export async function deleteAccount(body: DeleteAccountBody): Promise<string> {
  let message = ''
  await leaveWith(async () => {
    const { data } = await http.delete<{ message?: string }>('/auth/profile', { data: body })
    message = data.message ?? ''
    clearSession()
  })
  return message
}
