import type { ReactNode } from 'react'
import { EmptyState } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { ScrollList } from './scroll-list.tsx'
import { Loading, Skeleton } from './skeleton.tsx'

interface ListFrameProps {
  label: string
  /** How many there are; undefined while it is not known. */
  count: number | undefined
  /** Why it is not known. */
  failure: string | null
  onReload: () => void
  emptyText: string
  emptyAction?: ReactNode
  children: ReactNode
}

const SKELETON_ROWS = ['first', 'second', 'third'] as const

/** As high as the three rows of the skeleton, so that nothing below jumps when the list turns out to be empty. */
const PLACE = 'grid min-h-59 content-center'

/** What the lists of the panel have in common: they scroll inside 400 px and say what they are when they show no rows. */
export function ListFrame({ label, count, failure, onReload, emptyText, emptyAction, children }: ListFrameProps) {
  if (count) {
    return <ScrollList aria-label={label}>{children}</ScrollList>
  }
  if (count === 0) {
    return (
      <div className={PLACE}>
        <EmptyState text={emptyText} action={emptyAction} />
      </div>
    )
  }
  if (failure !== null) {
    return (
      <div className={PLACE}>
        <ErrorState text={failure} onRetry={onReload} />
      </div>
    )
  }
  return (
    <Loading className="min-h-59 divide-y divide-line">
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex gap-3 px-4 py-3">
          <Skeleton className="h-[54px] w-24 shrink-0" />
          <div className="grid flex-1 content-start gap-2 pt-0.5">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-3 w-4/5" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
