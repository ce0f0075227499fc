interface Sample {
  readonly atMs: number
  readonly bytes: number
}

/** The one file on its way, as the upload area shows it. */
export interface Transfer {
  readonly name: string
  readonly sizeBytes: number
  readonly sentBytes: number
  /** It goes on with what an earlier visit had sent. */
  readonly resumed: boolean
  /** The newest seconds, for the speed. */
  readonly samples: readonly Sample[]
}

export type UploadState =
  | { readonly at: 'idle' }
  /** sending: bytes travel. reconnecting: the line is cut. checking: all is sent, the server looks at it. */
  | { readonly at: 'sending' | 'reconnecting' | 'checking'; readonly transfer: Transfer }

export type UploadEvent =
  | { type: 'started'; name: string; sizeBytes: number }
  | { type: 'continued'; sentBytes: number; fromEarlierVisit: boolean }
  | { type: 'progressed'; sentBytes: number; atMs: number }
  | { type: 'broke' }
  | { type: 'ended' }

const SAMPLE_EVERY_MS = 500
const WINDOW_MS = 6000

/** Seldom enough that the figures can be read, and only the newest, so that they follow the line. */
function sampled(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last && next.atMs - last.atMs < SAMPLE_EVERY_MS) return samples
  return [...samples.filter(({ atMs }) => next.atMs - atMs <= WINDOW_MS), next]
}

export function nextUpload(state: UploadState, event: UploadEvent): UploadState {
  if (event.type === 'started') {
    const { name, sizeBytes } = event
    return { at: 'sending', transfer: { name, sizeBytes, sentBytes: 0, resumed: false, samples: [] } }
  }
  if (state.at === 'idle' || event.type === 'ended') return { at: 'idle' }

  const { transfer } = state
  switch (event.type) {
    case 'continued': {
      const resumed = transfer.resumed || (event.fromEarlierVisit && event.sentBytes > 0)
      return { at: 'sending', transfer: { ...transfer, resumed, sentBytes: event.sentBytes, samples: [] } }
    }
    case 'progressed': {
      const { sentBytes, atMs } = event
      const samples = sampled(transfer.samples, { atMs, bytes: sentBytes })
      const at = sentBytes >= transfer.sizeBytes ? 'checking' : 'sending'
      return { at, transfer: { ...transfer, sentBytes, samples } }
    }
    case 'broke':
      return { at: 'reconnecting', transfer: { ...transfer, samples: [] } }
  }
}

/** 0 to 100, with decimals: of 20 GB the first whole percent comes late. */
export const percentOf = ({ sentBytes, sizeBytes }: Transfer): number =>
  sizeBytes > 0 ? Math.min(100, (sentBytes / sizeBytes) * 100) : 0

/** null while too little was seen to tell. */
export function bytesPerSecond({ samples }: Transfer): number | null {
  const [first] = samples
  const last = samples.at(-1)
  if (!first || !last || last.atMs - first.atMs < 1000) return null
  return Math.max(0, ((last.bytes - first.bytes) / (last.atMs - first.atMs)) * 1000)
}

export function secondsLeft(transfer: Transfer): number | null {
  const speed = bytesPerSecond(transfer)
  return speed ? (transfer.sizeBytes - transfer.sentBytes) / speed : null
}
