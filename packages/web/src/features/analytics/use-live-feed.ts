import type { LiveFigures } from '@siarin/contracts/analytics'
import { useEffect, useState } from 'react'
import { featureUrl } from '../../lib/feature-calls.ts'
import { ensurePageTicket, renewPageTicket, usePageTicket } from '../../lib/page-ticket.ts'
import { useSession } from '../../lib/session.ts'
import { useVisible } from '../../lib/use-visible.ts'
import { liveFeedPath } from './api/analytics.ts'
import { nextFigures } from './live-figures.ts'

const AGAIN_AFTER_MS = 5000

export type LiveFeed =
  | { readonly at: 'waiting' | 'broken'; readonly figures: LiveFigures | null }
  | { readonly at: 'open'; readonly figures: LiveFigures }

const FIRST: LiveFeed = { at: 'waiting', figures: null }

/** What the server pushed; null: nothing that can be read. */
function readFigures(data: unknown): LiveFigures | null {
  try {
    const value: unknown = typeof data === 'string' ? JSON.parse(data) : null
    return typeof value === 'object' && value !== null && 'streams' in value && Array.isArray(value.streams)
      ? (value as LiveFigures)
      : null
  } catch {
    return null
  }
}

/** The figures of what is on air, pushed while the screen is looked at: browsers have six connections for all tabs of one server. */
export function useLiveFeed(wanted: boolean): LiveFeed {
  const { user } = useSession()
  const visible = useVisible()
  const ticket = usePageTicket()
  const [feed, setFeed] = useState<LiveFeed>(FIRST)
  const url = wanted && user && visible && ticket ? featureUrl(liveFeedPath, user) : null

  useEffect(() => {
    if (wanted && user && visible) void ensurePageTicket()
  }, [wanted, user, visible])

  useEffect(() => {
    if (url === null) return
    const address = url
    let source: EventSource | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const isBroken = (): void => setFeed(({ figures }) => ({ at: 'broken', figures }))

    function listen(): void {
      const own = new EventSource(address)
      source = own
      own.addEventListener('now', ({ data }) => {
        const told = readFigures(data)
        if (told) setFeed(({ figures }) => ({ at: 'open', figures: nextFigures(figures, told) }))
      })
      own.onerror = () => {
        isBroken()
        // A browser comes back by itself after a broken line, but never after a refusal.
        if (own.readyState !== own.CLOSED) return
        timer = setTimeout(listen, AGAIN_AFTER_MS)
        void renewPageTicket()
      }
      own.addEventListener('refused', () => {
        own.close()
        isBroken()
      })
    }

    listen()
    return () => {
      clearTimeout(timer)
      source?.close()
    }
  }, [url])

  return feed
}
