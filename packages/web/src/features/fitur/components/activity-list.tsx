import type { ActivityStatus } from '@siarin/contracts/activity'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Badge, type BadgeTone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { formatMoment } from '../../../lib/format.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { activityQuery } from '../api/activity.ts'
import { type ShownEntry, shownActivity } from '../shown-activity.ts'

const SHOWN_AT_FIRST = 8
const SKELETON_ROWS = ['one', 'two', 'three', 'four', 'five'] as const
const TONES: Record<ActivityStatus, BadgeTone> = { Berhasil: 'accent', Gagal: 'warn', Pending: 'neutral' }

/** A name and what stands behind it: a name that runs from right to left must not turn the rest round. */
function Detail({ text }: { text: string }) {
  const end = text.lastIndexOf(' · ')
  return (
    <span className="min-w-0 truncate" title={text}>
      <bdi>{end < 0 ? text : text.slice(0, end)}</bdi>
      {end < 0 ? '' : text.slice(end)}
    </span>
  )
}

function EntryRow({ entry }: { entry: ShownEntry }) {
  return (
    <li className="flex items-start gap-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-semibold">
          {entry.text}
          {entry.at === null && (
            <span className="rounded-full border border-line px-2 text-xs font-medium text-ink-soft">Contoh</span>
          )}
        </p>
        <p className="flex flex-wrap gap-x-2 text-xs text-ink-soft tabular-nums">
          {entry.at !== null && <span className="whitespace-nowrap">{formatMoment(entry.at)}</span>}
          {entry.detail && <Detail text={entry.detail} />}
        </p>
      </div>
      <Badge tone={TONES[entry.status]}>{entry.status}</Badge>
    </li>
  )
}

function Rows({ entries, label }: { entries: readonly ShownEntry[]; label: string }) {
  const [all, setAll] = useState(false)
  return (
    <>
      <ul aria-labelledby={label} className="mt-2 divide-y divide-line">
        {(all ? entries : entries.slice(0, SHOWN_AT_FIRST)).map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {entries.length > SHOWN_AT_FIRST && (
        <Button look="quiet" size="small" className="mt-2 -ml-3.5" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Tampilkan sedikit' : 'Tampilkan semua'}
        </Button>
      )}
    </>
  )
}

/** What the person did of late; somebody new sees examples, marked as such. */
export function ActivityList() {
  const headingId = useId()
  const { data, error, refetch } = useQuery(activityQuery())
  const failure = error instanceof SessionEndedError ? null : error
  return (
    <Card className="p-6" aria-labelledby={headingId}>
      <div id={headingId}>
        <CardHeading title="Riwayat / Aktivitas" />
      </div>
      {data ? (
        <Rows entries={shownActivity(data)} label={headingId} />
      ) : failure ? (
        <ErrorState text={featureMessage(failure, REQUEST_FAILED)} onRetry={() => void refetch()} />
      ) : (
        <Loading className="mt-2 grid">
          {SKELETON_ROWS.map((row) => (
            <div key={row} className="flex h-[61px] items-center justify-between gap-4">
              <Skeleton className="h-9 w-3/5" />
              <Skeleton className="h-5 w-16 rounded-full!" />
            </div>
          ))}
        </Loading>
      )}
    </Card>
  )
}
