import { planName, planOf, resolutionWords } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { PreparationWait, Rendition, Video, VideoPreparation } from '@siarin/contracts/videos'
import { formatAbout, formatNumber, formatTimeLeft } from '../../lib/format.ts'

const USUAL_LINES: ReadonlySet<number> = new Set([144, 240, 360, 480, 540, 576, 720, 1080, 1440, 2160, 4320])

const CODEC_NAMES: Readonly<Record<string, string>> = {
  h264: 'H.264',
  hevc: 'HEVC',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  mpeg4: 'MPEG-4',
  mpeg2video: 'MPEG-2',
  aac: 'AAC',
  mp3: 'MP3',
  opus: 'Opus',
  vorbis: 'Vorbis',
  ac3: 'AC-3',
  flac: 'FLAC',
}

const codecName = (codec: string): string => CODEC_NAMES[codec] ?? codec.toUpperCase()

/** People say '1080p' for both ways of holding a phone; an unusual picture is given as it is. */
function pictureSize(width: number, height: number): string {
  const lines = Math.min(width, height)
  return USUAL_LINES.has(lines) ? `${lines}p` : `${width}×${height}`
}

/** '1080p · 30 fps · H.264/AAC', as far as it is known; empty when nothing is. */
export function technicalFacts({ width, height, fps, videoCodec, audioCodec }: Video): string {
  const codecs = videoCodec && `${codecName(videoCodec)}${audioCodec ? `/${codecName(audioCodec)}` : ', tanpa suara'}`
  return [
    width && height && pictureSize(width, height),
    fps && `${formatNumber(Math.round(fps * 100) / 100)} fps`,
    codecs,
  ]
    .filter(Boolean)
    .join(' · ')
}

const STEP_WORDS: Record<NonNullable<Video['step']>, string> = {
  importing: 'Mengambil',
  checking: 'Memeriksa',
  preparing: 'Diproses',
}

/** The state in words; null for a video that is simply there. */
export function stateWords(video: Video): string | null {
  if (video.status === 'ready') return null
  return video.status === 'failed' ? 'Gagal' : stepWords(video)
}

/** Another server of the same API may not say who waits. */
type Preparation = Omit<VideoPreparation, 'queue'> & Partial<Pick<VideoPreparation, 'queue'>>

function stepWords({ step, progress, queue }: Preparation): string {
  if (queue) return 'Antre'
  const words = STEP_WORDS[step ?? 'preparing']
  return step === 'checking' || progress === null || progress === undefined ? words : `${words} ${progress}%`
}

/** '2 video di depan, kira-kira 6 menit' */
const waitWords = ({ ahead, seconds }: PreparationWait): string =>
  `${formatNumber(ahead)} video di depan, ${formatAbout(seconds)}`

/** How long it takes until the video is ready, as far as that is known. */
export function timeWords({ secondsLeft, queue }: Pick<Preparation, 'secondsLeft' | 'queue'>): string | null {
  if (queue) return waitWords(queue)
  return secondsLeft === null || secondsLeft === undefined ? null : formatTimeLeft(secondsLeft)
}

/** 'Diproses 43% · sisa 20 detik', 'Antre · 2 video di depan, kira-kira 6 menit' */
export const preparationWords = (preparation: Preparation): string =>
  [stepWords(preparation), timeWords(preparation)].filter(Boolean).join(' · ')

/** 'Disiapkan 43% · sisa 20 detik', 'Antre · 2 video di depan, kira-kira 6 menit' */
export function renditionWords(
  made: Pick<Rendition, 'progress' | 'secondsLeft' | 'queue'>,
  doing = 'Disiapkan ',
): string {
  const { progress, queue } = made
  const state = queue || progress === null ? 'Antre' : `${doing}${progress}%`
  return [state, timeWords(made)].filter(Boolean).join(' · ')
}

/** Why a broadcast cannot take a video now that is not ready. */
export function notReadyText(video: Pick<Video, 'status'>): string {
  return video.status === 'failed' ? VIDEO_TEXTS.failedEarlier : VIDEO_TEXTS.notReady
}

interface PlanNote {
  readonly text: string
  /** It does not go on air as it is. */
  readonly urgent: boolean
}

/** What another plan has changed for a video that was prepared under an earlier one; `retry` prepares it anew. */
export function planNote({ status, tooLarge, canImprove }: Video): PlanNote | null {
  if (status !== 'ready') return null
  if (tooLarge) return { text: 'Lebih besar dari batas paket Anda. Siapkan ulang supaya bisa disiarkan.', urgent: true }
  return canImprove ? { text: 'Paket Anda sekarang mengizinkan gambar yang lebih tajam.', urgent: false } : null
}

/** What the plan took from the picture; null: nothing, or it was the server's own limit. */
export function reducedNote({ reducedFrom }: Video, standing: Standing | undefined): string | null {
  if (!reducedFrom || !standing?.enforced) return null
  const { limits } = planOf(standing.plan)
  const fps = Math.round(reducedFrom.fps)
  if (reducedFrom.height <= limits.maxHeight && fps <= limits.maxFps) return null
  const original = resolutionWords({ ...limits, maxHeight: reducedFrom.height, maxFps: fps })
  return `Dikecilkan dari ${original} sesuai paket ${planName(standing.plan)}.`
}
