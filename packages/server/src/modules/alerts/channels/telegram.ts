import { Secret } from '@siarin/media/secret'
import { z } from 'zod'
import { noAnswer, shortened } from './answers.ts'
import type { AlertMessage, Send, SendOutcome } from './channel.ts'
import { createPace, type Pace } from './pace.ts'
import type { TelegramAnswer, TelegramApi } from './telegram-api.ts'

/** A chat, and the token of the user's own bot; null: the operator's bot. */
export interface TelegramDestination {
  readonly chatId: string
  readonly token: string | null
}

const Destination = z.object({ chatId: z.string().regex(/^-?\d{1,20}$/), token: z.string().nullable() })

const TEXT_MAX = 4096
/** About one a second to a person, twenty a minute to a group, thirty a second in all. */
const GAP_MS = 1_000
const GROUP_GAP_MS = 3_000
export const telegramPace = (): Pace => createPace({ perSecond: 30, longestWaitMs: 5_000 })

export const telegramDestination = (destination: TelegramDestination): string => JSON.stringify(destination)

export function readTelegramDestination(text: string): TelegramDestination | null {
  try {
    return Destination.parse(JSON.parse(text))
  } catch {
    return null
  }
}

interface TelegramDeps {
  readonly api: TelegramApi
  readonly pace: Pace
  readonly operatorToken: Secret | null
}

/** A setting that was forgotten at one restart must not cost everybody their channel. */
const NO_BOT_MS = 30 * 60_000

export function createTelegramSender({ api, pace, operatorToken }: TelegramDeps): Send {
  return async (text, message, signal) => {
    const destination = readTelegramDestination(text)
    if (!destination) return { kind: 'gone', answer: 'Obrolan Telegram ini tidak dikenal lagi. Hubungkan lagi.' }
    const isOwnBot = destination.token !== null
    const token = destination.token === null ? operatorToken : new Secret(destination.token)
    if (!token) return { kind: 'later', afterMs: NO_BOT_MS, answer: 'Server ini sedang tidak punya bot Telegram.' }
    const { chatId } = destination
    const waitMs = await pace.turn(chatId, chatId.startsWith('-') ? GROUP_GAP_MS : GAP_MS, signal)
    if (waitMs > 0) return { kind: 'later', afterMs: waitMs, answer: 'Menunggu giliran di Telegram.' }
    try {
      const answer = await api.call(token, 'sendMessage', telegramFields(chatId, message), { signal })
      const outcome = telegramOutcome(answer, { destination, isOwnBot })
      if (outcome.kind === 'later' && outcome.afterMs) pace.hold(chatId, outcome.afterMs)
      return outcome
    } catch (error) {
      return noAnswer(error, 'platform')
    }
  }
}

/** Plain text with a bold title, by its position: nothing in it needs to be escaped. */
function telegramFields(chatId: string, { title, text, url, isImportant }: AlertMessage): object {
  const tail = url === null ? '' : `\n\n${shortened(url, 1000)}`
  const head = shortened(title, 500)
  const body = shortened(`${head}\n${text}`, TEXT_MAX - tail.length)
  return {
    chat_id: chatId,
    text: `${body}${tail}`,
    entities: [{ type: 'bold', offset: 0, length: head.length }],
    link_preview_options: { is_disabled: true },
    disable_notification: !isImportant,
  }
}

/** Pure. The operator's bot is many people's: what is wrong with its token switches nobody off, and is over once the operator has mended it. */
function telegramOutcome(
  answer: TelegramAnswer,
  { destination, isOwnBot }: { destination: TelegramDestination; isOwnBot: boolean },
): SendOutcome {
  if (answer.ok) return { kind: 'sent', answer: '200 OK' }
  const { code, description, retryAfterMs, movedTo } = answer
  const said = `${code} ${description}`.trim()
  if (movedTo !== null) {
    return { kind: 'moved', destination: telegramDestination({ ...destination, chatId: movedTo }), answer: said }
  }
  if (code === 429 || code >= 500) return { kind: 'later', afterMs: retryAfterMs, answer: said }
  // 404: Telegram's word for a token of the wrong form.
  if (code === 401 || code === 404) {
    return isOwnBot ? { kind: 'gone', answer: said } : { kind: 'later', afterMs: null, answer: said }
  }
  if (code === 403 || (code === 400 && /chat not found|user is deactivated|PEER_ID_INVALID/i.test(description))) {
    return { kind: 'gone', answer: said }
  }
  return { kind: 'refused', answer: said }
}
