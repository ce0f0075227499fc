import type { OnlineSource } from '@siarin/contracts/online'
import { useId } from 'react'
import { Link } from 'react-router'
import { buttonStyle } from '../../components/button-styles.ts'
import { ListFrame } from '../../components/list-frame.tsx'
import { ScrollList } from '../../components/scroll-list.tsx'
import type { Say } from '../../lib/message.ts'
import type { Picked } from '../../lib/picked.ts'
import { AddSourceDialog } from './components/add-source-dialog.tsx'
import { QuietRooms } from './components/quiet-rooms.tsx'
import { SourceRow } from './components/source-row.tsx'
import { OnlineRow } from './online-row.tsx'
import type { LiveRoom, OnlineLists } from './online-video.ts'
import { useRemoveSource } from './use-remove-source.ts'

interface BigoTabProps {
  lists: OnlineLists
  picked: Picked | null
  onReload: () => void
  onPickRoom: (room: LiveRoom) => void
  onPickSource: (source: OnlineSource) => void
  onRemoved: (source: OnlineSource) => void
  say: Say
}

function Sources({ lists, picked, onPickSource, onRemoved, say }: BigoTabProps) {
  const headingId = useId()
  const { remove, removingId } = useRemoveSource(onRemoved, say)
  const { sources = [] } = lists
  return (
    <section aria-labelledby={headingId} className="border-t border-line first:border-t-0">
      <div className="flex items-center justify-between gap-3 px-4 py-3">
        <h2 id={headingId} className="text-sm font-bold">
          Sumber online
        </h2>
        <AddSourceDialog say={say} />
      </div>
      {sources.length > 0 && (
        <ScrollList aria-labelledby={headingId}>
          {sources.map((source) => (
            <SourceRow
              key={source.id}
              source={source}
              current={picked?.online?.accountId === null && picked.source === source.url}
              removing={source.id === removingId}
              onPick={() => onPickSource(source)}
              onRemove={() => void remove(source)}
            />
          ))}
        </ScrollList>
      )}
    </section>
  )
}

export function BigoTab(props: BigoTabProps) {
  const { picked, onReload, onPickRoom } = props
  const { live, quiet = [], sources, failure } = props.lists
  // That there is nothing can be said only when both are known.
  const count = live?.length === 0 && !sources ? undefined : live?.length
  const manage = (
    <Link to="/fitur/account" className={buttonStyle('quiet', 'small')}>
      Kelola akun Bigo
    </Link>
  )
  return (
    <>
      {/* Where addresses of one's own are all there is, nobody misses a room. */}
      {!(count === 0 && sources && sources.length > 0) && (
        <ListFrame
          label="Video online"
          count={count}
          failure={failure}
          onReload={onReload}
          emptyText="Tidak ada video online yang tersedia."
          emptyAction={quiet.length === 0 && manage}
        >
          {live?.map((room) => (
            <OnlineRow
              key={`${room.video.accountId} ${room.video.siteId} ${room.video.url}`}
              title={room.video.title}
              size={room.video.size}
              duration={room.video.duration}
              current={picked?.online?.accountId === room.video.accountId && picked.source === room.video.url}
              onPick={() => onPickRoom(room)}
            />
          ))}
        </ListFrame>
      )}
      <Sources {...props} />
      {quiet.length > 0 && <QuietRooms rooms={quiet} action={manage} />}
    </>
  )
}
