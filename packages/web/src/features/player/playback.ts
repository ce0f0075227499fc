import type { HlsConfig } from 'hls.js'
import { logError } from '../../lib/log.ts'
import { isHls } from '../../lib/online-address.ts'

const LOAD_TIMEOUT_MS = 10_000
const LOAD_RETRIES = 5

const HLS_CONFIG: Partial<HlsConfig> = {
  maxBufferLength: 30,
  maxMaxBufferLength: 60,
  manifestLoadingTimeOut: LOAD_TIMEOUT_MS,
  manifestLoadingMaxRetry: LOAD_RETRIES,
  levelLoadingTimeOut: LOAD_TIMEOUT_MS,
  levelLoadingMaxRetry: LOAD_RETRIES,
  fragLoadingTimeOut: LOAD_TIMEOUT_MS,
  fragLoadingMaxRetry: LOAD_RETRIES,
}

/** After hls.js has used up its own tries, so that a source that is gone is not asked without a pause. */
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 15_000
/** A second media error so soon after a recovery: it is no recovery. */
const RECOVERY_MS = 3000

/** What the server answers for an address that it no longer stands for. */
const GONE = 410

export type PlaybackTrouble =
  | 'autoplay-blocked'
  | 'failed'
  | 'hls-unsupported'
  | 'hls-reconnecting'
  | 'hls-failed'
  | 'preview-ended'

type Hear = (trouble: PlaybackTrouble) => void

interface PlaybackChoice {
  /** False: it is made ready, and plays when the person wants it to. */
  readonly autoplay?: boolean
}

/** Plays `url` in `video` until the returned function is called. */
export function startPlayback(
  video: HTMLVideoElement,
  url: string,
  hear: Hear,
  { autoplay = true }: PlaybackChoice = {},
): () => void {
  const source: Source = { url, begin: autoplay ? () => play(video, hear) : () => {} }
  const stop = isHls(url) ? playHls(video, source, hear) : playDirectly(video, source, hear)
  return () => {
    stop()
    video.pause()
    video.removeAttribute('src')
    video.load()
  }
}

interface Source {
  readonly url: string
  /** What happens as soon as it can play. */
  readonly begin: () => void
}

function play(video: HTMLVideoElement, hear: Hear): void {
  video.play().catch((error: unknown) => {
    // One other error means that it was torn down meanwhile, and the error event reports another.
    if (error instanceof DOMException && error.name === 'NotAllowedError') hear('autoplay-blocked')
  })
}

function playDirectly(video: HTMLVideoElement, { url, begin }: Source, hear: Hear): () => void {
  const onError = (): void => hear('failed')
  video.addEventListener('error', onError)
  video.src = url
  begin()
  return () => video.removeEventListener('error', onError)
}

/** hls.js is larger than the whole screen: it is fetched when the first HLS source is played. */
function playHls(video: HTMLVideoElement, source: Source, hear: Hear): () => void {
  let over = false
  let stop: () => void = () => {}

  const attach = async (): Promise<void> => {
    const { default: Hls } = await import('hls.js')
    if (over) return
    if (Hls.isSupported()) stop = attachHls(Hls, video, source, hear)
    else if (video.canPlayType('application/vnd.apple.mpegurl')) stop = playDirectly(video, source, hear)
    else hear('hls-unsupported')
  }
  attach().catch((error: unknown) => {
    logError('The HLS player could not be loaded', error)
    if (!over) hear('hls-failed')
  })

  return () => {
    over = true
    stop()
  }
}

function attachHls(
  Hls: typeof import('hls.js').default,
  video: HTMLVideoElement,
  { url, begin }: Source,
  hear: Hear,
): () => void {
  const hls = new Hls(HLS_CONFIG)
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let retryMs = FIRST_RETRY_MS
  let recoveredAt = Number.NEGATIVE_INFINITY

  const loadAgain = (): void => {
    // Without a manifest there is nothing yet whose loading could go on.
    if (hls.levels.length === 0) hls.loadSource(url)
    else hls.startLoad()
  }
  const end = (): void => {
    clearTimeout(retryTimer)
    video.removeEventListener('error', onElementError)
    hls.destroy()
  }
  const fail = (trouble: PlaybackTrouble = 'hls-failed'): void => {
    end()
    hear(trouble)
  }
  const recover = (): void => {
    if (performance.now() - recoveredAt < RECOVERY_MS) {
      fail()
      return
    }
    recoveredAt = performance.now()
    const wasPaused = video.paused
    hls.recoverMediaError()
    if (wasPaused) begin()
    else play(video, hear)
  }
  // hls.js hears it and only logs it. A recovery clears the error, so one that both have heard of is recovered from once.
  const onElementError = (): void => {
    if (video.error) recover()
  }

  hls.on(Hls.Events.MANIFEST_PARSED, begin)
  hls.on(Hls.Events.FRAG_BUFFERED, () => {
    retryMs = FIRST_RETRY_MS
  })
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, response }) => {
    // Not always fatal at once, but trying again cannot help.
    if (response?.code === GONE) fail('preview-ended')
    if (!fatal || response?.code === GONE) return
    if (type === Hls.ErrorTypes.NETWORK_ERROR) {
      if (retryMs === FIRST_RETRY_MS) hear('hls-reconnecting')
      clearTimeout(retryTimer)
      retryTimer = setTimeout(loadAgain, retryMs)
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
    } else if (type === Hls.ErrorTypes.MEDIA_ERROR) recover()
    else fail()
  })
  video.addEventListener('error', onElementError)
  hls.loadSource(url)
  hls.attachMedia(video)
  return end
}
