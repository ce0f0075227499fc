import { hash } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Guard } from '../../../platform/egress/guard.ts'
import { type SmallAnswer, smallCall } from '../../../platform/egress/small-call.ts'
import type { Log } from '../../../platform/log.ts'
import { ANSWER_BYTES, cleaned, noAnswer, retryAfterMs, shortened } from './answers.ts'
import type { AlertMessage, Send, SendOutcome } from './channel.ts'
import type { PushKeys } from './push-keys.ts'
import { sealForBrowser, vapidAuthorization } from './push-sealing.ts'
import { type PushSubscription, readSubscription, sessionOf } from './push-subscription.ts'

interface PushDeps {
  readonly guard: Guard
  readonly allowHttp: boolean
  readonly keys: () => Promise<PushKeys>
  /** Whom a push service may write to about us. */
  readonly contact: string
  readonly clock: Clock
  readonly log: Log
  /** Its owner, or somebody for them, has logged that browser out. */
  readonly isSessionOver: (sessionId: string) => Promise<boolean>
}

/** A push has at most 4096 bytes, of which encryption takes 103. */
const PAYLOAD_BYTES = 3_900
/** A phone that was off for a day has better things to show. */
const LIFE_SECONDS = 86_400
const TOPIC_CHARACTERS = 32
const LOGGED_OUT = 'Browser ini sudah keluar dari akun. Masuk lagi di sana, lalu aktifkan notifikasinya.'

export function createPushSender({ guard, allowHttp, keys, contact, clock, log, isSessionOver }: PushDeps): Send {
  return async (destination, message, signal) => {
    const { subscription, session } = read(destination)
    if (!subscription) return { kind: 'gone', answer: 'Langganan peramban ini tidak dikenal lagi. Aktifkan lagi.' }
    if (session !== null && (await isSessionOver(session))) return { kind: 'gone', answer: LOGGED_OUT }
    const request = await sealed(subscription, message)
    try {
      const answer = await smallCall(new URL(subscription.endpoint), guard, {
        ...request,
        method: 'POST',
        signal,
        mostBytes: ANSWER_BYTES,
      })
      const outcome = pushOutcome(answer, secretsOf(subscription), clock.now())
      if (outcome.kind === 'later' && isRefusal(answer)) {
        const { hostname: service } = new URL(subscription.endpoint)
        log.warn({ service, status: answer.status }, 'a push service refuses our signature: is the clock right?')
      }
      return outcome
    } catch (error) {
      return noAnswer(error, 'user')
    }
  }

  function read(text: string): { subscription: PushSubscription | null; session: string | null } {
    try {
      const stored: unknown = JSON.parse(text)
      return { subscription: readSubscription(stored, { guard, allowHttp }), session: sessionOf(stored) }
    } catch {
      return { subscription: null, session: null }
    }
  }

  async function sealed(subscription: PushSubscription, message: AlertMessage) {
    const { endpoint } = subscription
    const body = sealForBrowser(pushPayload(message), subscription.keys)
    const headers = {
      TTL: LIFE_SECONDS,
      Urgency: message.isImportant ? 'high' : 'normal',
      Topic: pushTopic(message.topic),
      Authorization: vapidAuthorization(await keys(), { endpoint, contact, now: clock.now() }),
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      'Content-Length': body.length,
    }
    return { headers, body }
  }
}

/** Push services take 32 characters: a later message on the same topic replaces one that has not arrived yet. */
const pushTopic = (topic: string): string => hash('sha256', topic, 'base64url').slice(0, TOPIC_CHARACTERS)

/** What the service worker gets. The text is what gives way where it is too long. */
function pushPayload({ id, title, text, url, topic, isImportant }: AlertMessage): string {
  const payloadOf = (most: number) =>
    JSON.stringify({ id, title: shortened(title, 200), text: shortened(text, most), url, topic, isImportant })
  for (let most = 3_000; most > 0; most = Math.floor(most * 0.7)) {
    const payload = payloadOf(most)
    if (Buffer.byteLength(payload) <= PAYLOAD_BYTES) return payload
  }
  return JSON.stringify({
    id: shortened(id, 100),
    title: shortened(title, 200),
    text: '',
    url: null,
    topic: '',
    isImportant,
  })
}

/** Who knows the address can push there, so its path is a secret too. */
const secretsOf = ({ endpoint, keys }: PushSubscription): string[] => {
  const { pathname, search } = new URL(endpoint)
  return [endpoint, `${pathname}${search}`, pathname, ...pathname.split('/'), keys.auth, keys.p256dh].filter(
    (part) => part.length >= 12,
  )
}

const isRefusal = ({ status }: Pick<SmallAnswer, 'status'>): boolean => status === 401 || status === 403

/** FCM, WNS and Mozilla in words, Apple by a name: the browser subscribed with another key, and only it can do so anew. */
const OTHER_KEY = /correspond|mismatch/i

/** Pure. What is wrong with our signature (its time, its contact) is ours to mend, and costs nobody the channel. */
function pushOutcome(answer: SmallAnswer, secrets: readonly string[], now: number): SendOutcome {
  const { status } = answer
  if (status >= 200 && status < 300) return { kind: 'sent', answer: `${status} OK` }
  const said = cleaned(`${status} ${answer.text}`, secrets)
  if (status === 404 || status === 410) {
    return { kind: 'gone', answer: cleaned(`${said} (langganan peramban ini sudah berakhir)`, []) }
  }
  if (isRefusal(answer)) {
    if (!OTHER_KEY.test(answer.text)) {
      const words = 'Layanan push menolak tanda tangan server. Kami coba lagi; bila terus begini, hubungi pengelola.'
      return { kind: 'later', afterMs: retryAfterMs(answer.headers, now), answer: cleaned(`${words} ${said}`, []) }
    }
    return { kind: 'gone', answer: cleaned(`Kunci server tidak cocok lagi; aktifkan lagi di peramban. ${said}`, []) }
  }
  if (status === 429 || status >= 500 || status === 408) {
    return { kind: 'later', afterMs: retryAfterMs(answer.headers, now), answer: said }
  }
  return { kind: 'refused', answer: said }
}
