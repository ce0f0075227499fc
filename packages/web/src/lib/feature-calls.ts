import type { ErrorCode } from '@siarin/contracts/error-codes'
import { API_KEY_TEXTS } from '@siarin/contracts/texts'
import type { PlainVideoReason } from '@siarin/contracts/video-reasons'
import axios, { type AxiosInstance, type AxiosRequestConfig } from 'axios'
import { accessRefused } from './blocking-notice.ts'
import { http, messageOf, SessionEndedError, serverCode, serverReasonCode } from './http.ts'
import { pageTicket } from './page-ticket.ts'
import { withProof } from './proof.ts'
import { getSession } from './session.ts'

export const REQUEST_FAILED = 'Gagal request.'
export const CONNECTION_FAILED = 'Gagal koneksi.'

/** A feature call that failed. `message` is what the person should read, empty where only the caller knows a sentence. */
export class FeatureError extends Error {
  override readonly name = 'FeatureError'
  /** refused: the answer says no. failed: its status does. unreadable: it is none of ours. unreachable: there is none. */
  readonly kind: 'refused' | 'failed' | 'unreadable' | 'unreachable'

  /** The server's name for it, of `ErrorCode` unless it is newer than this page; null: it gave none. */
  readonly code: string | null

  /** Which of the code's reasons, where the server tells them apart. */
  readonly reasonCode: string | null

  constructor(
    message: string,
    kind: FeatureError['kind'] = 'refused',
    code: string | null = null,
    reasonCode: string | null = null,
  ) {
    super(message)
    this.kind = kind
    this.code = code
    this.reasonCode = reasonCode
  }
}

interface FeatureAnswer {
  success: boolean
  message: string
}

/** The server's message wins, then the error's own text, then the caller's sentence. */
export function featureMessage(error: unknown, fallback: string): string {
  return error instanceof FeatureError && error.message ? error.message : fallback
}

const DISK_FULL: PlainVideoReason = 'disk-full'

/** A larger plan would let it happen. Room may also be missing on the server's disk, where no plan helps. */
export const isAboutPlan = (error: unknown): boolean =>
  error instanceof FeatureError &&
  (error.code === 'plan_limit' || (error.code === 'storage_full' && error.reasonCode !== DISK_FULL))

/**
 * Where feature calls go. Nothing is sent for nobody. The session opens them: a stored user may be without a key, since the server
 * tells it only to a browser that has proved its password.
 */
export function featureAccess(): { server: string } {
  const { token, user } = getSession()
  if (!token || !user) throw new FeatureError(API_KEY_TEXTS.required)
  return { server: baseOf(user) }
}

const baseOf = ({ server }: { server: string }): string => server.replace(/\/+$/, '')

/** An address for what the browser fetches by itself: pictures, videos, events. A ticket stands in it, and never the key. */
export const featureUrl = (path: string, user: { server: string } = featureAccess()): string =>
  `${baseOf(user)}${path}?ticket=${encodeURIComponent(pageTicket())}`

/** Whether a person asked for it, or the page by itself. */
type Asker = 'load' | 'action'

const ACCESS_STOPPED: ErrorCode = 'access_stopped'

function asFeatureError(error: unknown, during: Asker): unknown {
  if (error instanceof SessionEndedError || error instanceof FeatureError || axios.isCancel(error)) return error
  if (!axios.isAxiosError(error)) return error
  const message = messageOf(error.response)
  if (serverCode(error) === ACCESS_STOPPED) accessRefused(during, message ?? '')
  if (!error.response) return new FeatureError(CONNECTION_FAILED, 'unreachable')
  return new FeatureError(message ?? '', 'failed', serverCode(error), serverReasonCode(error))
}

type FeatureAccess = ReturnType<typeof featureAccess>

async function send<T extends FeatureAnswer>(config: AxiosRequestConfig, client = http): Promise<T> {
  const { data } = await client.request<T>(config)
  // A proxy may answer 200 with a page of its own.
  if (typeof data !== 'object' || data === null) throw new FeatureError('', 'unreadable')
  if (!data.success) throw new FeatureError(data.message || '')
  return data
}

/** The person's session goes along by itself; the key stays here. */
async function call<T extends FeatureAnswer>(
  during: Asker,
  request: (access: FeatureAccess) => AxiosRequestConfig,
): Promise<T> {
  const config = request(featureAccess())
  try {
    return await (during === 'action' ? withProof(() => send<T>(config)) : send<T>(config))
  } catch (error) {
    throw asFeatureError(error, during)
  }
}

export const featureGet = <T extends FeatureAnswer>(path: string, signal?: AbortSignal): Promise<T> =>
  call<T>('load', ({ server }) => ({ method: 'GET', url: server + path, ...(signal && { signal }) }))

export const featurePost = <T extends FeatureAnswer>(
  path: string,
  body: object = {},
  during: Asker = 'action',
): Promise<T> => call<T>(during, ({ server }) => ({ method: 'POST', url: server + path, data: body }))

export const featurePatch = <T extends FeatureAnswer>(path: string, body: object): Promise<T> =>
  call<T>('action', ({ server }) => ({ method: 'PATCH', url: server + path, data: body }))

export const featurePut = <T extends FeatureAnswer>(path: string, body: object): Promise<T> =>
  call<T>('action', ({ server }) => ({ method: 'PUT', url: server + path, data: body }))

/** The file is the whole body. */
export const featurePutFile = <T extends FeatureAnswer>(path: string, file: Blob, type: string): Promise<T> =>
  call<T>('action', ({ server }) => ({
    method: 'PUT',
    url: server + path,
    data: file,
    headers: { 'Content-Type': type },
  }))

export const featureDelete = <T extends FeatureAnswer>(path: string): Promise<T> =>
  call<T>('action', ({ server }) => ({ method: 'DELETE', url: server + path }))

/** Some calls go through the default client: to the page's own address. */
export const pageGet = <T extends FeatureAnswer>(path: string, signal?: AbortSignal): Promise<T> =>
  call<T>('load', () => ({ method: 'GET', url: path, ...(signal && { signal }) }))

export const pagePost = <T extends FeatureAnswer>(path: string, body: object): Promise<T> =>
  call<T>('action', () => ({ method: 'POST', url: path, data: body }))

/** The same for a service of its own, whose client knows neither this person's key nor their session. */
export const serviceCall = <T extends FeatureAnswer>(client: AxiosInstance, config: AxiosRequestConfig): Promise<T> =>
  send<T>(config, client).catch((error: unknown) => {
    throw asFeatureError(error, 'load')
  })
