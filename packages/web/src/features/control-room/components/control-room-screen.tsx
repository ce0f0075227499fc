import { Radio, SearchX } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { ComingNext } from '../../schedules/coming-next.tsx'
import { AccessStopped } from '../../standing/access-stopped.tsx'
import { useStopped } from '../../standing/api/standing.ts'
import { NO_FILTER, rowOf, sectionsOf } from '../room-list.ts'
import type { RoomRow } from '../room-row.ts'
import { useRoomActions } from '../use-room-actions.ts'
import { useRoomRows } from '../use-room-rows.ts'
import { RoomFilters } from './room-filters.tsx'
import { RoomSections } from './room-sections.tsx'
import { SelectionBar } from './selection-bar.tsx'

const TITLE = 'Ruang kontrol'
const LEAD = 'Semua siaran dalam satu layar, yang bermasalah paling atas.'
const SKELETON_ROWS = ['one', 'two', 'three', 'four', 'five'] as const
const UPCOMING_SHOWN = 5
const NONE: ReadonlySet<string> = new Set()

function useTicks() {
  const [ticked, setTicked] = useState(NONE)
  const tickAll = useCallback(
    (rows: readonly Pick<RoomRow, 'id'>[], isTicked: boolean): void =>
      setTicked((known) => {
        const ids = new Set(rows.map(({ id }) => id))
        return new Set(isTicked ? [...known, ...ids] : [...known].filter((id) => !ids.has(id)))
      }),
    [],
  )
  const tick = useCallback((id: string, isTicked: boolean): void => tickAll([{ id }], isTicked), [tickAll])
  const clear = useCallback((): void => setTicked(NONE), [])
  return { ticked, tick, tickAll, clear }
}

function Rows({ rows }: { rows: readonly RoomRow[] }) {
  const [filter, setFilter] = useState(NO_FILTER)
  const { ticked, tick, tickAll, clear } = useTicks()
  const { stop, start, busyIds } = useRoomActions()
  const [search] = useSearchParams()
  const askedId = rowOf(rows, search.get('siaran'))?.id ?? null
  const sections = useMemo(() => sectionsOf(rows, filter), [rows, filter])
  const act = useCallback((row: RoomRow): void => void (row.isOpen ? stop([row]) : start([row])), [stop, start])
  // What a filter hides is not acted upon, ticked or not.
  const chosen = sections.flatMap((section) => section.rows).filter(({ id }) => ticked.has(id))
  return (
    <>
      <RoomFilters filter={filter} onChange={setFilter} />
      <div className="mt-4">
        {sections.length > 0 ? (
          <RoomSections
            sections={sections}
            ticked={ticked}
            busyIds={busyIds}
            askedId={askedId}
            onTick={tick}
            onTickAll={tickAll}
            onAct={act}
          />
        ) : (
          <Card>
            <EmptyState
              icon={SearchX}
              text="Tidak ada siaran yang cocok."
              action={
                <Button look="secondary" size="small" onClick={() => setFilter(NO_FILTER)}>
                  Tampilkan semua
                </Button>
              }
            />
          </Card>
        )}
      </div>
      <SelectionBar
        rows={chosen}
        busy={chosen.some(({ id }) => busyIds.has(id))}
        onStop={(chosenRows) => void stop(chosenRows).then((done) => done && clear())}
        onStart={(chosenRows) => void start(chosenRows).then(clear)}
        onClear={clear}
      />
    </>
  )
}

function Room() {
  const { rows, failure, reload } = useRoomRows()
  if (!rows && failure) {
    return (
      <Card>
        <ErrorState text={featureMessage(failure, REQUEST_FAILED)} onRetry={reload} />
      </Card>
    )
  }
  if (!rows) {
    return (
      <Loading className="grid gap-3">
        {SKELETON_ROWS.map((row) => (
          <Skeleton key={row} className="h-31 md:h-14" />
        ))}
      </Loading>
    )
  }
  if (rows.length > 0) return <Rows rows={rows} />
  return (
    <Card>
      <EmptyState
        icon={Radio}
        text="Belum ada siaran hari ini. Yang Anda mulai atau jadwalkan muncul di sini."
        action={
          <Link to="/fitur/live" className={buttonStyle('secondary')}>
            Pilih video
          </Link>
        }
      />
    </Card>
  )
}

export function ControlRoomScreen() {
  const stopped = useStopped()
  if (stopped) {
    return (
      <Page title={TITLE} lead={LEAD}>
        <AccessStopped standing={stopped} />
      </Page>
    )
  }
  return (
    <Page
      title={TITLE}
      lead={LEAD}
      action={
        <div className="flex flex-wrap gap-2">
          <Link to="/fitur/rekaman" className={buttonStyle('secondary')}>
            Rekaman
          </Link>
          <Link to="/fitur/jadwal" className={buttonStyle('secondary')}>
            Jadwal
          </Link>
          <Link to="/fitur/live" className={buttonStyle('primary')}>
            Mulai siaran
          </Link>
        </div>
      }
    >
      <Room />
      <div className="mt-8">
        <ComingNext most={UPCOMING_SHOWN} />
      </div>
    </Page>
  )
}
