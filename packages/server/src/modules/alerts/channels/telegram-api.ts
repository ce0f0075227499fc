import type { Secret } from '@siarin/media/secret'
import type { Guard } from '../../../platform/egress/guard.ts'
import { type SmallAnswer, smallCall } from '../../../platform/egress/small-call.ts'
import { ANSWER_BYTES, boundedWait, cleaned, jsonOf } from './answers.ts'

const TELEGRAM_API = 'https://api.telegram.org'

/** What Telegram said. The token stands in the address of a call, so nothing of the address is told. */
export type TelegramAnswer =
  /** `cut`: the beginning of an answer that was longer than what is read; then there is no result. */
  | { readonly ok: true; readonly result: unknown; readonly cut?: string }
  | {
      readonly ok: false
      readonly code: number
      readonly description: string
      readonly retryAfterMs: number | null
      /** A group that has become a supergroup has this id now. */
      readonly movedTo: string | null
    }

export interface TelegramApi {
  /** Throws what `smallCall` throws. */
  call(token: Secret, method: string, fields: object, options: CallOptions): Promise<TelegramAnswer>
}

interface CallOptions {
  readonly signal: AbortSignal
  readonly mostBytes?: number
}

/** The number before the colon is the bot's own and no secret. */
const TOKEN = /^(\d{5,20}):[\w-]{30,100}$/

/** Null: it is no token. */
export const botIdOf = (token: Secret): string | null => TOKEN.exec(token.reveal())?.[1] ?? null

/** The operator may set another server; the usual one is judged like any address, lest a wrong name lead a token inside. */
export function createTelegramApi({ apiUrl, guard }: { apiUrl: string; guard: Guard }): TelegramApi {
  const judge = apiUrl === TELEGRAM_API ? guard : null
  return {
    async call(token, method, fields, { signal, mostBytes = ANSWER_BYTES }) {
      const url = new URL(`${apiUrl.replace(/\/+$/, '')}/bot${token.reveal()}/${method}`)
      const answer = await smallCall(url, judge, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
        signal,
        mostBytes,
      })
      return read(answer, token)
    },
  }
}

function read(answer: SmallAnswer, token: Secret): TelegramAnswer {
  const said = jsonOf(answer)
  if (answer.status === 200) {
    if (said?.['ok'] === true) return { ok: true, result: said['result'] }
    // The answer to a long message repeats it, and is longer than what is read.
    if (answer.isCut && /^\s*\{\s*"ok"\s*:\s*true/.test(answer.text)) {
      return { ok: true, result: null, cut: answer.text }
    }
  }
  const { error_code: code, description, parameters } = said ?? {}
  const { retry_after: seconds, migrate_to_chat_id: movedTo } = (parameters ?? {}) as Record<string, unknown>
  return {
    ok: false,
    // A page of a proxy in between has no code of its own, and says nothing about a chat or a bot.
    code: typeof code === 'number' ? code : answer.status === 429 ? 429 : 502,
    description: typeof description === 'string' ? cleaned(description, secretsOf(token)) : '',
    retryAfterMs: typeof seconds === 'number' ? boundedWait(seconds * 1000) : null,
    movedTo: typeof movedTo === 'number' && Number.isSafeInteger(movedTo) ? String(movedTo) : null,
  }
}

/** The whole token, and the part of it that is a secret. */
const secretsOf = (token: Secret): string[] => {
  const text = token.reveal()
  return [text, text.slice(text.indexOf(':') + 1)]
}
