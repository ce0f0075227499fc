import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { VideoTable } from '../../platform/db/schema.ts'
import { writeFacts } from '../../platform/outbox/facts.ts'

type EndedVideo = Pick<Selectable<VideoTable>, 'id' | 'user_id' | 'status' | 'filename' | 'reason'>

/** How a preparation ended. One that failed and had been ready before is ready again, see `failedColumns`. */
export async function writeEnd(db: Db, video: EndedVideo, at: number): Promise<void> {
  const { id, user_id: userId, status, filename, reason } = video
  await writeFacts(db, { kind: 'video', id, userId }, [
    status === 'ready'
      ? { at, fact: 'video.ready', payload: { filename } }
      : { at, fact: 'video.failed', payload: { filename, reason } },
  ])
}
