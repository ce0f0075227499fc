import type { HlsConfig } from 'hls.js'
import { logError } from '../../lib/log.ts'
import type { Say } from './state.ts'

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

const isHls = (url: string): boolean => url.includes('.m3u8')

/** Plays `url` in `video` until the returned function is called. */
export function startPlayback(video: HTMLVideoElement, url: string, say: Say): () => void {
  let over = false
  let destroyHls: () => void = () => {}

  const play = (): void => {
    video.play().catch((error: unknown) => {
      // Torn down meanwhile, or the source is bad, which the error event reports.
      const name = error instanceof DOMException ? error.name : ''
      if (over || name === 'AbortError' || name === 'NotSupportedError') return
      say('Klik play untuk memulai video.')
    })
  }

  const onError = (): void => say('Gagal memuat streaming. Coba lagi.', true)
  video.addEventListener('error', onError)

  const setDirectly = (): void => {
    video.src = url
    play()
  }

  const attachHls = async (): Promise<void> => {
    const { default: Hls } = await import('hls.js')
    if (over) return
    if (!Hls.isSupported()) {
      if (video.canPlayType('application/vnd.apple.mpegurl')) setDirectly()
      else say('Browser tidak mendukung HLS.', true)
      return
    }
    const hls = new Hls(HLS_CONFIG)
    destroyHls = () => hls.destroy()
    hls.on(Hls.Events.MANIFEST_PARSED, play)
    hls.on(Hls.Events.ERROR, (_event, { fatal, type }) => {
      if (!fatal) return
      if (type === Hls.ErrorTypes.NETWORK_ERROR) hls.startLoad()
      else if (type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError()
      else {
        hls.destroy()
        say('Gagal memuat streaming HLS.', true)
      }
    })
    hls.loadSource(url)
    hls.attachMedia(video)
  }

  if (isHls(url)) {
    attachHls().catch((error: unknown) => {
      logError('The HLS player could not be loaded', error)
      if (!over) say('Gagal memuat streaming HLS.', true)
    })
  } else setDirectly()

  return () => {
    over = true
    video.removeEventListener('error', onError)
    destroyHls()
    video.pause()
    video.removeAttribute('src')
    video.load()
  }
}
