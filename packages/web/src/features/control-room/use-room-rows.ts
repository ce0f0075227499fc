import { replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { SessionEndedError } from '../../lib/http.ts'
import { activeStreamsQuery } from '../broadcasts/api/active-streams.ts'
import { streamHistoryQuery } from '../broadcasts/api/past-streams.ts'
import { useStreamsFeed } from '../broadcasts/use-streams-feed.ts'
import { videosQuery } from '../library/api/videos.ts'
import { broadcastsQuery } from './api/broadcasts.ts'
import { endedRows } from './ended-rows.ts'
import { openRow } from './open-row.ts'
import type { RoomRow } from './room-row.ts'

/** While nothing is pushed. */
const STREAMS_POLL_MS = 2000
/** What the feed does not tell, as the name of a target. */
const BROADCASTS_POLL_MS = 15_000

const startOfToday = (): number => new Date().setHours(0, 0, 0, 0)

/** Keeps the rows that look as before, so that only those that changed are painted again. */
function useSameRows(rows: readonly RoomRow[] | undefined): readonly RoomRow[] | undefined {
  const known = useRef<readonly RoomRow[]>([])
  return useMemo(() => {
    if (!rows) return undefined
    const before = new Map(known.current.map((row) => [row.id, row]))
    const next = rows.map((row) => replaceEqualDeep(before.get(row.id), row))
    const areSame = next.length === known.current.length && next.every((row, index) => row === known.current[index])
    if (!areSame) known.current = next
    return known.current
  }, [rows])
}

/** Asks for broadcasts and history again when the feed has another set of streams: something has begun or ended. */
function useFreshLists(streamIds: string | undefined): void {
  const queryClient = useQueryClient()
  const known = useRef(streamIds)
  useEffect(() => {
    if (streamIds === undefined || known.current === streamIds) return
    const isFirst = known.current === undefined
    known.current = streamIds
    if (isFirst) return
    void queryClient.invalidateQueries({ queryKey: broadcastsQuery().queryKey })
    void queryClient.invalidateQueries({ queryKey: streamHistoryQuery().queryKey })
  }, [streamIds, queryClient])
}

/** Everything that the workspace sends or sent today, as rows; undefined until it is known. */
export function useRoomRows() {
  const fed = useStreamsFeed()
  const active = useQuery({
    ...activeStreamsQuery(),
    refetchOnMount: 'always',
    refetchInterval: fed ? false : STREAMS_POLL_MS,
  })
  const broadcasts = useQuery({
    ...broadcastsQuery(),
    refetchOnMount: 'always',
    refetchInterval: BROADCASTS_POLL_MS,
  })
  const history = useQuery({ ...streamHistoryQuery(), refetchOnMount: 'always' })
  const { data: library } = useQuery(videosQuery())
  const streams = active.data?.streams
  useFreshLists(streams?.map(({ streamId }) => streamId).join(' '))

  const pictures = useMemo(
    () => new Set(library?.videos.flatMap(({ filename, hasThumbnail }) => (hasThumbnail ? [filename] : []))),
    [library],
  )
  const open = broadcasts.data
  const ended = history.data
  const rows = useMemo(() => {
    if (!open) return undefined
    const feed = new Map(streams?.map((stream) => [stream.streamId ?? '', stream]))
    const all = [...open.map((broadcast) => openRow(broadcast, feed)), ...endedRows(ended ?? [], open, startOfToday())]
    return all.map((row) => (row.picture !== null && !pictures.has(row.picture) ? { ...row, picture: null } : row))
  }, [open, ended, streams, pictures])

  const { error } = broadcasts
  return {
    rows: useSameRows(rows),
    failure: error && !(error instanceof SessionEndedError) ? error : null,
    reload: () => void broadcasts.refetch(),
  }
}
