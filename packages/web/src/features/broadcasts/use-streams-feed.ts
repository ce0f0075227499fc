import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { featureUrl } from '../../lib/feature-calls.ts'
import { ensurePageTicket, renewPageTicket, usePageTicket } from '../../lib/page-ticket.ts'
import { sayLineBroke, sayLineIsWell } from '../../lib/server-silence.ts'
import { useSession } from '../../lib/session.ts'
import { useVisible } from '../../lib/use-visible.ts'
import { activeStreamsQuery } from './api/active-streams.ts'
import { nextBitrates } from './bitrates.ts'
import { openStreamsFeed } from './streams-feed.ts'

/**
 * Lets the server push the active streams into the cache while the screen is looked at; answers whether it does. A hidden tab does
 * without: browsers have six connections for all tabs of one server.
 */
export function useStreamsFeed(): boolean {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const visible = useVisible()
  const [open, setOpen] = useState(false)
  const ticket = usePageTicket()
  const url = user && visible && ticket ? featureUrl('/fitur/steam/live', user) : null

  useEffect(() => {
    if (user && visible) void ensurePageTicket()
  }, [user, visible])

  useEffect(() => {
    if (url === null) return
    const close = openStreamsFeed({
      connect: () => new EventSource(url),
      onStreams: (streams) => {
        queryClient.setQueryData(activeStreamsQuery().queryKey, (known) => ({
          streams,
          message: known?.message ?? '',
          bitrates: nextBitrates(known?.bitrates, streams, Date.now()),
        }))
      },
      onOpen: (isOpen) => {
        setOpen(isOpen)
        if (isOpen) sayLineIsWell()
        else sayLineBroke()
      },
      onRefused: () => void renewPageTicket(),
    })
    return () => {
      close()
      sayLineIsWell()
    }
  }, [url, queryClient])

  return open
}
