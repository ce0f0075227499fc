import { API_KEY_TEXTS } from '@siarin/contracts/texts'
import axios, { type AxiosRequestConfig } from 'axios'
import { http, messageOf, SessionEndedError } from './http.ts'
import { getSession } from './session.ts'

export const REQUEST_FAILED = 'Gagal request.'
export const CONNECTION_FAILED = 'Gagal koneksi.'

/** A feature call that failed. `message` is what the person should read, empty where only the caller knows a sentence. */
export class FeatureError extends Error {
  override readonly name = 'FeatureError'
}

interface FeatureAnswer {
  success: boolean
  message: string
}

/** The server's message wins, then the error's own text, then the caller's sentence. */
export function featureMessage(error: unknown, fallback: string): string {
  return error instanceof FeatureError && error.message ? error.message : fallback
}

/** Where feature calls go and with which key. Without a key nothing is sent. */
export function featureAccess(): { server: string; apiKey: string } {
  const { user } = getSession()
  if (!user?.apiKey) throw new FeatureError(API_KEY_TEXTS.required)
  return { server: user.server.replace(/\/+$/, ''), apiKey: user.apiKey }
}

function asFeatureError(error: unknown): unknown {
  if (error instanceof SessionEndedError || error instanceof FeatureError || axios.isCancel(error)) return error
  if (!axios.isAxiosError(error)) return error
  return new FeatureError(messageOf(error.response) ?? (error.response ? '' : CONNECTION_FAILED))
}

async function call<T extends FeatureAnswer>(config: AxiosRequestConfig): Promise<T> {
  try {
    const { data } = await http.request<T>(config)
    if (!data.success) throw new FeatureError(data.message || '')
    return data
  } catch (error) {
    throw asFeatureError(error)
  }
}

export async function featureGet<T extends FeatureAnswer>(path: string, signal?: AbortSignal): Promise<T> {
  const { server, apiKey } = featureAccess()
  return call<T>({ method: 'GET', url: server + path, params: { apiKey }, ...(signal && { signal }) })
}

export async function featurePost<T extends FeatureAnswer>(path: string, body: object = {}): Promise<T> {
  const { server, apiKey } = featureAccess()
  return call<T>({ method: 'POST', url: server + path, data: { apiKey, ...body } })
}

export async function featureDelete<T extends FeatureAnswer>(path: string): Promise<T> {
  const { server, apiKey } = featureAccess()
  return call<T>({ method: 'DELETE', url: server + path, data: { apiKey } })
}
