import type { RoomState } from '@siarin/contracts/online'
import { BIGO_TEXTS } from '@siarin/contracts/texts'
import { z } from 'zod'

/** What Bigo says of a room. `source` is an address of its choosing: nobody has judged it yet. */
export interface RoomReport {
  readonly state: RoomState
  readonly message: string
  readonly nickname: string | null
  readonly source: string | null
}

export interface BigoAnswer {
  readonly status: number
  readonly text: string
}

const NICKNAME_MAX = 60

const flag = z.unknown().transform((value) => value === true || Number(value) === 1)
const text = z.string().catch('')

const Room = z.object({
  alive: z.union([z.number(), z.string(), z.boolean()]).nullish().catch(null),
  sid: z.unknown(),
  roomId: z.unknown(),
  nick_name: text,
  hls_src: text,
  needLogin: flag,
  passRoom: flag,
  isPaidShow: flag,
})
const Answer = z.object({ code: z.coerce.number(), data: z.unknown() })

export const noRoom = (state: Exclude<RoomState, 'live'>): RoomReport => ({
  state,
  message: BIGO_TEXTS[state],
  nickname: null,
  source: null,
})

/** Sorts an answer of any kind. What is not said plainly counts as a refusal of us, never as word about the room. */
export function readRoom({ status, text }: BigoAnswer): RoomReport {
  if (status >= 500) return noRoom('unreachable')
  const answer = status === 200 ? Answer.safeParse(parseJson(text)) : null
  // A page instead of data, 418 and their like: Bigo does not answer machines, or not this one.
  if (!answer?.success || answer.data.code !== 0) return noRoom('blocked')
  const room = Room.safeParse(answer.data.data)
  // A room that nobody has comes as an empty list, or with nothing in it.
  if (!room.success) return noRoom('unknown')
  const { alive, sid, roomId, hls_src: source, needLogin, passRoom, isPaidShow } = room.data
  const nickname = cleanNickname(room.data.nick_name)
  if (needLogin) return { ...noRoom('blocked'), nickname }
  if (alive == null || sid === null || roomId === null) return noRoom('unknown')
  if (Number(alive) !== 1 || source === '') return { ...noRoom('offline'), nickname }
  if (passRoom || isPaidShow) return { ...noRoom('blocked'), nickname, message: BIGO_TEXTS.closed }
  return { state: 'live', message: BIGO_TEXTS.live, nickname, source }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const cleanNickname = (name: string): string | null =>
  name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, NICKNAME_MAX) || null
