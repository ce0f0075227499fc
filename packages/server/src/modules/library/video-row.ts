import type { LoopList } from '@siarin/media/loop-plan'
import type { Selectable } from 'kysely'
import type { VideoTable } from '../../platform/db/schema.ts'

/** Without what only the version before reads. */
export type VideoColumns = Omit<Selectable<VideoTable>, 'master_key' | 'master_bytes' | 'thumbnail_key'>

/** The rendition that is played and broadcast. */
interface Master {
  readonly key: string
  /** Beside the original; 0 where it is the original itself. */
  readonly bytes: number
  readonly contentType: string
  /** How its end meets its beginning; null: it loops by itself. */
  readonly loop: LoopList | null
  /** What is played behind it before it begins anew. */
  readonly tailKey: string | null
  readonly thumbnailKey: string | null
}

/** `master`: null until it has been prepared for the first time. */
export type VideoRow = VideoColumns & { readonly master: Master | null }

/** Where all files of a video lie. */
export const folderOf = ({ user_id, id }: Pick<VideoRow, 'user_id' | 'id'>): string => `${user_id}/${id}/`
