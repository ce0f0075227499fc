import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import type { OnlineVideo } from '../online-video.ts'
import { ListFrame } from './list-frame.tsx'
import { OnlineRow } from './online-row.tsx'

interface BigoTabProps {
  videos: readonly OnlineVideo[] | undefined
  failure: string | null
  currentUrl: string | null
  onReload: () => void
  onPick: (video: OnlineVideo) => void
}

export function BigoTab({ videos, failure, currentUrl, onReload, onPick }: BigoTabProps) {
  return (
    <ListFrame
      label="Video online"
      count={videos?.length}
      failure={failure}
      onReload={onReload}
      emptyText="Tidak ada video online yang tersedia."
      emptyAction={
        <Link to="/fitur/account" className={buttonStyle('secondary', 'small')}>
          Kelola akun Bigo
        </Link>
      }
    >
      {videos?.map((video) => (
        <OnlineRow
          key={`${video.accountId} ${video.siteId} ${video.url}`}
          title={video.title}
          size={video.size}
          duration={video.duration}
          current={video.url !== '' && video.url === currentUrl}
          onPick={() => onPick(video)}
        />
      ))}
    </ListFrame>
  )
}
