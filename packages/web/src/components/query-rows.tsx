import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { featureMessage, REQUEST_FAILED } from '../lib/feature-calls.ts'
import { SessionEndedError } from '../lib/http.ts'
import { ErrorState } from './error-state.tsx'
import { Loading, Skeleton } from './skeleton.tsx'

interface QueryRowsProps<Row> {
  query: Pick<UseQueryResult<readonly Row[]>, 'data' | 'error' | 'refetch'>
  /** The height of a row while it is on its way. */
  rowHeight: string
  /** Stands there instead of no rows. */
  empty: ReactNode
  children: (rows: readonly Row[]) => ReactNode
}

const SKELETON_ROWS = ['one', 'two', 'three'] as const

/** The rows of a list that fills its card: on their way, not to be had, none, or all of them. */
export function QueryRows<Row>({ query: { data, error, refetch }, rowHeight, empty, children }: QueryRowsProps<Row>) {
  if (data) return data.length === 0 ? empty : children(data)
  // Who is logged out is led away.
  if (error && !(error instanceof SessionEndedError)) {
    return <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
  }
  return (
    <Loading className="grid gap-3 p-6">
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className={rowHeight} />
      ))}
    </Loading>
  )
}
