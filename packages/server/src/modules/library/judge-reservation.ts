import type { Selectable } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'

export type ReservationKind = Selectable<Database['upload_reservations']>['kind']

export interface Wanted {
  readonly id: string
  readonly userId: string
  readonly kind: ReservationKind
  /** Less than this is of no use; more than that is not needed. */
  readonly atLeast: number
  readonly atMost: number
  /** How large the user's room is. */
  readonly limit: number
  readonly mostOpen: number
  readonly mostVideos: number
  readonly now: number
  readonly heldUntil: number
}

/** What one user's videos take, and what else of theirs is on its way. */
interface Occupied {
  readonly videos: number
  readonly videoBytes: number
  readonly comingBytes: number
  /** Uploads under way, without imports: those wait for their turn by themselves. */
  readonly openUploads: number
}

/** `taken`: all that is occupied. */
export type Verdict =
  | { readonly outcome: 'granted'; readonly bytes: number }
  | { readonly outcome: 'no-room'; readonly taken: number }
  | { readonly outcome: 'too-many' }
  | { readonly outcome: 'too-many-videos' }

type Asked = Pick<Wanted, 'kind' | 'atLeast' | 'atMost' | 'limit' | 'mostOpen' | 'mostVideos'>

/** An import has its row already, and was counted with it. */
const isUpload = ({ kind }: Pick<Asked, 'kind'>): boolean => kind !== 'import'

/** What is refused by numbers alone: for the sum of the bytes each of thousands of videos is looked at. Null: nothing is. */
export function judgeNumbers(asked: Asked, occupied: Pick<Occupied, 'videos' | 'openUploads'>): Verdict | null {
  if (!isUpload(asked)) return null
  const { videos, openUploads } = occupied
  if (openUploads >= asked.mostOpen) return { outcome: 'too-many' }
  return videos + openUploads >= asked.mostVideos ? { outcome: 'too-many-videos' } : null
}

/** Whether bytes may come, and how many of them beside all else of this user. */
export function judgeReservation(asked: Asked, occupied: Occupied): Verdict {
  const { atLeast, atMost, limit } = asked
  const refused = judgeNumbers(asked, occupied)
  if (refused) return refused
  const taken = occupied.videoBytes + occupied.comingBytes
  const left = Math.max(0, limit - taken)
  if (left === 0 || atLeast > left) return { outcome: 'no-room', taken }
  return { outcome: 'granted', bytes: Math.min(atMost, left) }
}
