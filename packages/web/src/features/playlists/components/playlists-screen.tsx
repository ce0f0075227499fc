import { useSearchParams } from 'react-router'
import { Page } from '../../../components/page.tsx'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { PlaylistList } from './playlist-list.tsx'
import { PlaylistView } from './playlist-view.tsx'

/** All lists, or the one that the address names: pages are made for whole paths, so its id stands behind the '?'. */
export function PlaylistsScreen() {
  const [search] = useSearchParams()
  const stopped = useStopped()
  const id = search.get('id')
  if (stopped) {
    return (
      <Page title="Playlist">
        <AccessStopped standing={stopped} />
      </Page>
    )
  }
  return id ? <PlaylistView key={id} id={id} /> : <PlaylistList />
}
