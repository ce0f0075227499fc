import { z } from 'zod'
import { cleaned, shortened } from './answers.ts'

/** Somebody sent `/start` to a bot. */
export interface StartMessage {
  readonly updateId: number
  readonly chatId: string
  /** Null: without a code. */
  readonly code: string | null
  /** Who, for the owner's eyes. */
  readonly who: string
}

export interface ReadUpdates {
  /** What is to be asked for next; null: there was nothing. */
  readonly nextUpdate: number | null
  readonly starts: readonly StartMessage[]
}

const Numbered = z.object({ update_id: z.number().int().nonnegative() })
const Message = z.object({
  update_id: z.number().int().nonnegative(),
  message: z.object({
    text: z.string().max(4096),
    chat: z.object({
      id: z.number().int(),
      title: z.string().optional(),
      first_name: z.string().optional(),
      username: z.string().optional(),
    }),
  }),
})
/** In a group the bot is named: `/start@siarin_bot CODE`. */
const START = /^\/start(?:@\w{1,64})?(?:\s+([\w-]{1,64}))?\s*$/
const WHO_MAX = 60

/** Telegram writes the number of an update first. */
const FIRST = /^\s*\{\s*"ok"\s*:\s*true\s*,\s*"result"\s*:\s*\[\s*\{\s*"update_id"\s*:\s*(\d{1,15})\s*[,}]/

/** The number of the first update in an answer that is too long to be read; null: it says none. */
export function firstUpdateOf(cut: string): number | null {
  const number = FIRST.exec(cut)?.[1]
  return number === undefined ? null : Number(number)
}

/** What we do not know is passed over: an update that stopped us would stop every one behind it. Null: this is no list of updates. */
export function readUpdates(result: unknown): ReadUpdates | null {
  if (!Array.isArray(result)) return null
  const numbers = result.flatMap((update) => {
    const read = Numbered.safeParse(update)
    return read.success ? [read.data.update_id] : []
  })
  return {
    nextUpdate: numbers.length === 0 ? null : Math.max(...numbers) + 1,
    starts: result.flatMap((update) => {
      const read = Message.safeParse(update)
      return read.success ? startOf(read.data) : []
    }),
  }
}

function startOf({ update_id: updateId, message: { text, chat } }: z.infer<typeof Message>): StartMessage[] {
  const start = START.exec(text)
  if (!start) return []
  const name = chat.title ?? chat.first_name ?? ''
  const who = cleaned(chat.username ? `${name} (@${chat.username})` : name, []) || chat.id.toString()
  return [{ updateId, chatId: String(chat.id), code: start[1] ?? null, who: shortened(who, WHO_MAX) }]
}
