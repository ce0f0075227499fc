import type { Secret } from '@siarin/media/secret'
import { z } from 'zod'
import { callPlatform, type PlatformAnswer } from './call-platform.ts'

/** Why TikTok, or Streamlabs for it, did not do what it was asked. */
export type TikTokFault =
  | 'unreachable'
  | 'token-invalid'
  | 'banned'
  | 'no-live-auth'
  | 'already-live'
  | 'rate-limited'
  | 'scope-missing'
  | 'target-missing'
  | 'refused'

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: TikTokFault }

export interface StreamlabsClient {
  info(token: Secret): Promise<Outcome<{ canBeLive: boolean }>>
  /** Begins a broadcast; one that the account had before is ended by this. */
  start(token: Secret, title: string): Promise<Outcome<{ id: string; rtmp: string }>>
  /** Does no harm where it has ended already. */
  end(token: Secret, id: string): Promise<Outcome<null>>
}

const BASE = '/api/v5/slobs/tiktok'
const TIMEOUT_MS = 8_000
/** A broadcast is set up on the way. */
const START_TIMEOUT_MS = 20_000

const CODES: readonly (readonly [code: string, fault: TikTokFault])[] = [
  ['access_token_invalid', 'token-invalid'],
  ['scope_not_authorized', 'scope-missing'],
  ['user_has_no_live_auth', 'no-live-auth'],
  ['user_already_live', 'already-live'],
  ['rate_limit_exceeded', 'rate-limited'],
]
const STATUSES = new Map<number, TikTokFault>([
  [401, 'token-invalid'],
  [405, 'token-invalid'],
  [422, 'banned'],
  [429, 'rate-limited'],
])

const Info = z.object({ can_be_live: z.union([z.boolean(), z.number()]).transform(Boolean) })
const Started = z.object({ id: z.coerce.string().min(1), rtmp: z.string().min(1), key: z.string().min(1) })

export function createStreamlabsClient({ apiUrl }: { apiUrl: string }): StreamlabsClient {
  const addressOf = (path: string) => new URL(`${BASE}${path}`, apiUrl)
  const bearing = (token: Secret) => ({ authorization: `Bearer ${token.reveal()}` })
  const post = (token: Secret, path: string, body: FormData | null, timeoutMs = TIMEOUT_MS) =>
    callPlatform(addressOf(path), { method: 'POST', headers: bearing(token), body, timeoutMs })

  return {
    async info(token) {
      const answer = await callPlatform(addressOf('/info'), {
        method: 'GET',
        headers: bearing(token),
        timeoutMs: TIMEOUT_MS,
      })
      const info = Info.safeParse(jsonOf(answer))
      return info.success ? { ok: true, value: { canBeLive: info.data.can_be_live } } : failed(answer)
    },

    async start(token, title) {
      const form = new FormData()
      form.set('title', title)
      form.set('device_platform', 'win32')
      form.set('category', '')
      form.set('audience_type', '0')
      const answer = await post(token, '/stream/start', form, START_TIMEOUT_MS)
      const json = jsonOf(answer)
      const started = Started.safeParse(json)
      if (started.success) {
        const { id, rtmp, key } = started.data
        return { ok: true, value: { id, rtmp: `${rtmp.replace(/\/+$/, '')}/${key.replace(/^\/+/, '')}` } }
      }
      const failure = failed(answer)
      const isAnswer = typeof json === 'object' && json !== null
      return isAnswer && failure.fault === 'refused' ? { ok: false, fault: 'target-missing' } : failure
    },

    async end(token, id) {
      const answer = await post(token, `/stream/${encodeURIComponent(id)}/end`, null)
      return answer && answer.status >= 200 && answer.status < 300 ? { ok: true, value: null } : failed(answer)
    },
  }
}

/** The body of an answer that says yes; one that says no, or something that is no JSON, has none. */
function jsonOf(answer: PlatformAnswer | null): unknown {
  if (!answer || answer.status < 200 || answer.status > 299) return null
  try {
    return JSON.parse(answer.text)
  } catch {
    return null
  }
}

/** A code in the body says more than the status; where it stands there differs from error to error. */
function failed(answer: PlatformAnswer | null): { readonly ok: false; readonly fault: TikTokFault } {
  if (!answer) return { ok: false, fault: 'unreachable' }
  const named = CODES.find(([code]) => answer.text.includes(code))?.[1]
  const fault = named ?? STATUSES.get(answer.status) ?? (answer.status >= 500 ? 'unreachable' : 'refused')
  return { ok: false, fault }
}
