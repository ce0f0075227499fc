import type { ConfirmBody, LoginAnswer, LoginBody, RegisterBody } from '@siarin/contracts/auth'
import type { LoginCodeBody, SecondFactorNeeded } from '@siarin/contracts/second-factor'
import axios from 'axios'
import { http } from '../../../lib/http.ts'

/** Answers a session, or the challenge that a code of the app has to be sent back with. */
export async function login(body: LoginBody): Promise<LoginAnswer | SecondFactorNeeded> {
  try {
    const { data } = await http.post<LoginAnswer>('/auth/login', body)
    return data
  } catch (error) {
    const refusal = axios.isAxiosError<SecondFactorNeeded>(error) ? error.response?.data : undefined
    if (refusal?.code === 'second_factor_needed' && refusal.challenge) return refusal
    throw error
  }
}

export async function loginWithCode(body: LoginCodeBody): Promise<LoginAnswer> {
  const { data } = await http.post<LoginAnswer>('/auth/login/code', body)
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
