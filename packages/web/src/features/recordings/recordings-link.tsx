import { useInfiniteQuery } from '@tanstack/react-query'
import { Clapperboard } from 'lucide-react'
import { Link } from 'react-router'
import { buttonStyle } from '../../components/button-styles.ts'
import { recordingsQuery } from './api/recordings.ts'
import { ofBroadcastPath, recordingPath } from './recording-path.ts'

/** From a broadcast to what was recorded of it; nothing where nothing was. */
export function RecordingsLink({ broadcastId }: { broadcastId: string }) {
  const { data } = useInfiniteQuery(recordingsQuery(broadcastId))
  const recordings = data?.pages.flatMap((page) => page.recordings) ?? []
  const [first, second] = recordings
  if (!first) return null
  return (
    <Link
      to={second ? ofBroadcastPath(broadcastId) : recordingPath(first.recordingId)}
      className={buttonStyle('secondary')}
    >
      <Clapperboard aria-hidden size={18} strokeWidth={1.75} />
      Lihat rekaman
    </Link>
  )
}
