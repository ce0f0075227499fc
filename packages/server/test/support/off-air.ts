import type { RtmpServer } from '@siarin/testkit/nginx-rtmp'

const SAMPLE_EVERY_MS = 100

export interface OffAir {
  /** The longest stretch without a new byte, of any of the streams, since it was asked last. */
  longestMs(): number
  stop(): void
}

/** Looks at the ingest's own statistics: on air is what brings it bytes. */
export function watchOffAir(rtmp: RtmpServer, names: readonly string[]): OffAir {
  const bytes = new Map<string, string>()
  const movedAt = new Map<string, number>(names.map((name) => [name, performance.now()]))
  let longest = 0
  let sampling = false
  const sample = async (): Promise<void> => {
    if (sampling) return
    sampling = true
    try {
      const publishers = await rtmp.publishers().catch(() => [])
      const now = performance.now()
      for (const name of names) {
        const publisher = publishers.find((each) => each.name === name)
        // A new session counts its bytes from zero.
        const mark = publisher ? `${publisher.id} ${publisher.bytesIn}` : ''
        const moved = mark !== '' && mark !== bytes.get(name)
        // Where it has moved since our last look we do not know when: a look that comes late is no silence.
        if (!moved) longest = Math.max(longest, now - (movedAt.get(name) ?? now))
        else {
          movedAt.set(name, now)
          bytes.set(name, mark)
        }
      }
    } finally {
      sampling = false
    }
  }
  const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS)
  return {
    longestMs() {
      const answer = longest
      longest = 0
      return answer
    },
    stop: () => clearInterval(timer),
  }
}
