import type { LoginAnswer, LoginBody, RegisterBody } from '@siarin/contracts/auth'
import { http } from '../../../lib/http.ts'

export async function login(body: LoginBody): Promise<LoginAnswer> {
  const { data } = await http.post<LoginAnswer>('/auth/login', body)
  return data
}

export async function register(body: RegisterBody): Promise<void> {
  await http.post('/auth/register', body)
}

export async function logout(): Promise<void> {
  await http.post('/auth/logout')
}
