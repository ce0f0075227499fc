import type { ConfirmBody, LoginAnswer, LoginBody, RegisterBody } from '@siarin/contracts/auth'
import { http } from '../../../lib/http.ts'

export async function login(body: LoginBody): Promise<LoginAnswer> {
  const { data } = await http.post<LoginAnswer>('/auth/login', body)
  return data
}

export async function register(body: RegisterBody): Promise<void> {
  await http.post('/auth/register', body)
}

/** Answers what the server says. */
export async function confirmPassword(body: ConfirmBody): Promise<string> {
  const { data } = await http.post<{ message?: string }>('/auth/confirm', body)
  return data.message ?? ''
}

export async function logout(): Promise<void> {
  await http.post('/auth/logout')
}
