import { useSearchParams } from 'react-router'
import { Page } from '../../../components/page.tsx'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { RecordingList } from './recording-list.tsx'
import { RecordingView } from './recording-view.tsx'

/** All recordings, those of one broadcast, or the one that the address names. */
export function RecordingsScreen() {
  const [search] = useSearchParams()
  const stopped = useStopped()
  const id = search.get('id')
  if (stopped) {
    return (
      <Page title="Rekaman">
        <AccessStopped standing={stopped} />
      </Page>
    )
  }
  return id ? <RecordingView key={id} id={id} /> : <RecordingList broadcastId={search.get('siaran')} />
}
