import { useReducer } from 'react'
import { useSearchParams } from 'react-router'
import { ListFrame } from '../../../components/list-frame.tsx'
import { useBlockingNotice } from '../../../lib/blocking-notice.ts'
import { Player } from '../../player/player.tsx'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { BlockingNotice } from '../../standing/blocking-notice.tsx'
import { PlanStrip } from '../../standing/plan-strip.tsx'
import { LiveFrame } from '../live-frame.tsx'
import { nextLiveState, stateAt, type Tab } from '../state.ts'
import { LiveWorkspace } from './live-workspace.tsx'

const nothing = (): void => {}

/** The screen's shape with nothing in it. */
function EmptyShape({ tab }: { tab: Tab }) {
  const rows = (
    <ListFrame label="" count={undefined} failure={null} onReload={nothing} emptyText="">
      {null}
    </ListFrame>
  )
  return (
    <div inert>
      <LiveFrame
        message={null}
        tab={tab}
        onTab={nothing}
        player={<Player picked={null} pickCount={0} onTrouble={nothing} />}
        panels={{ lokal: rows, bigo: rows, live: rows, go: rows }}
        upload={null}
      />
    </div>
  )
}

export function LiveScreen() {
  const [search] = useSearchParams()
  const [state, dispatch] = useReducer(nextLiveState, search, stateAt)
  const notice = useBlockingNotice()
  const stopped = useStopped()
  return (
    <div className="mx-auto w-full max-w-page px-4 py-4 md:px-6 md:py-6">
      <h1 className="sr-only">Live</h1>
      {notice !== null ? (
        <>
          <EmptyShape tab={state.tab} />
          <BlockingNotice text={notice} />
        </>
      ) : stopped ? (
        <AccessStopped standing={stopped} />
      ) : (
        <>
          <PlanStrip />
          <LiveWorkspace state={state} dispatch={dispatch} />
        </>
      )}
    </div>
  )
}
