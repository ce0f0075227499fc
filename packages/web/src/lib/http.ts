import { SESSION_END_MARKERS } from '@siarin/contracts/auth'
import axios, { type AxiosError, type AxiosResponse } from 'axios'
import { sayLineBroke, sayLineIsWell } from './server-silence.ts'
import { clearSession, getSession } from './session.ts'

const DEFAULT_SESSION_END = 'Your session has expired'

/** The session ended under this call. A caller that catches it stays silent: the person has been told already. */
export class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError'
}

export const http = axios.create()

export const bearer = (token: string): string => `Bearer ${token}`

http.interceptors.request.use((config) => {
  const { token } = getSession()
  if (token) config.headers.set('Authorization', bearer(token))
  return config
})

let tellSessionEnded: (message: string) => void = () => {}

/** The client knows neither routes nor toasts; the app says here what happens when a session ends. */
export function onSessionEnded(handler: (message: string) => void): () => void {
  tellSessionEnded = handler
  return () => {
    tellSessionEnded = () => {}
  }
}

/** The `message` that the server put into its answer, if it did. */
export function serverMessage(error: unknown): string | null {
  if (!axios.isAxiosError(error)) return null
  return messageOf(error.response)
}

/** The server's name for what went wrong, if it gave one. */
export const serverCode = (error: unknown): string | null =>
  (axios.isAxiosError<{ code?: string }>(error) && error.response?.data?.code) || null

/** Which of the code's reasons it is, where the server tells them apart. */
export const serverReasonCode = (error: unknown): string | null =>
  (axios.isAxiosError<{ reasonCode?: string }>(error) && error.response?.data?.reasonCode) || null

export function messageOf(response: AxiosResponse<unknown> | undefined): string | null {
  const body = response?.data
  if (typeof body !== 'object' || body === null || !('message' in body)) return null
  return typeof body.message === 'string' && body.message.trim() !== '' ? body.message : null
}

let leaving = 0

/** For a call with which the session ends at the person's own wish: others that fail because of it say nothing. */
export async function leaveWith(call: () => Promise<void>): Promise<void> {
  leaving += 1
  try {
    await call()
  } finally {
    leaving -= 1
  }
}

/** What a proxy says for a server that is away. */
const ABSENT = [502, 503, 504]

function tellOfLine(error: AxiosError): void {
  if (axios.isCancel(error)) return
  if (!error.response || ABSENT.includes(error.response.status)) sayLineBroke()
  else sayLineIsWell()
}

function heard(response: AxiosResponse): AxiosResponse {
  sayLineIsWell()
  return response
}

const endsSession = (status: number | undefined, message: string | null): boolean =>
  status === 401 && message !== null && SESSION_END_MARKERS.some((marker) => message.includes(marker))

http.interceptors.response.use(heard, (error: AxiosError) => {
  tellOfLine(error)
  const message = messageOf(error.response)
  const sentBearer = error.config?.headers.get('Authorization')
  if (!sentBearer || !endsSession(error.response?.status, message)) throw error

  // Several calls may fail at once, and a late one may belong to a session that has been replaced: only the first about the present one counts.
  const { token } = getSession()
  if (leaving === 0 && token && sentBearer === bearer(token)) {
    clearSession()
    tellSessionEnded(message ?? DEFAULT_SESSION_END)
  }
  throw new SessionEndedError(message ?? DEFAULT_SESSION_END)
})
