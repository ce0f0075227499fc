import type { StreamRowData } from './api/active-streams.ts'

/** A browser comes back by itself after a broken line, but never after a refusal, such as a proxy's 502 while the server restarts. */
const AGAIN_AFTER_MS = 5000

interface FeedNeeds {
  readonly connect: () => EventSource
  readonly onStreams: (streams: StreamRowData[]) => void
  readonly onOpen: (open: boolean) => void
  /** The server wants none of it, as it is. */
  readonly onRefused?: () => void
}

function parseStreams(data: unknown): StreamRowData[] | null {
  try {
    const value: unknown = typeof data === 'string' ? JSON.parse(data) : null
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Listens to the server's list of active streams until the returned function is called. */
export function openStreamsFeed({ connect, onStreams, onOpen, onRefused }: FeedNeeds): () => void {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function listen(): void {
    const own = connect()
    source = own
    own.onopen = () => onOpen(true)
    own.onerror = () => {
      onOpen(false)
      if (own.readyState !== own.CLOSED) return
      timer = setTimeout(listen, AGAIN_AFTER_MS)
      onRefused?.()
    }
    own.addEventListener('streams', ({ data }) => {
      const streams = parseStreams(data)
      if (streams) onStreams(streams)
    })
  }

  listen()
  return () => {
    clearTimeout(timer)
    source?.close()
    onOpen(false)
  }
}
