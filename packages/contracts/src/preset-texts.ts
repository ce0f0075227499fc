import type { PlatformPreset } from './platform-preset.ts'

const number = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 2 })

export const kbpsWords = (kbps: number): string => `${number.format(kbps)} kbps`

/** 'sekitar 6.000 kbps' where the platform itself does not say it. */
export const mostKbpsWords = (kbps: number, isRough: boolean | null): string =>
  `${isRough ? 'sekitar ' : ''}${kbpsWords(kbps)}`

const CODEC_NAMES: Readonly<Record<string, string>> = { h264: 'H.264', hevc: 'HEVC', av1: 'AV1', mpeg4: 'MPEG-4' }
const codecWords = (codec: string): string => CODEC_NAMES[codec] ?? codec.toUpperCase()
const anyOf = (words: readonly string[]): string => words.join(' atau ')

/** What is said of a video that a platform will refuse, or show worse than it is. */
export const FIT_TEXTS = {
  codec: (name: string, codec: string, taken: readonly string[]): string =>
    `${name} menolak gambar ${codecWords(codec)}: yang diterima ${anyOf(taken.map(codecWords))}.`,
  codecWay: (taken: readonly string[]): string => `gambar ${codecWords(taken[0] ?? 'h264')}`,
  bitrate: (name: string, kbps: number, most: string): string =>
    `Video ini rata-rata ${kbpsWords(kbps)}, ${name} menerima paling tinggi ${most}. Siarannya bisa tersendat atau diputus.`,
  fps: (name: string, fps: number, most: number): string =>
    `Video ini ${number.format(fps)} fps, ${name} menerima paling tinggi ${most} fps. Gerakannya bisa patah-patah.`,
  fpsWay: (most: number): string => `${most} fps`,
  size: (name: string, shortSide: number, most: number): string =>
    `Video ini ${shortSide}p, ${name} menerima paling tinggi ${most}p. Gambarnya diperkecil atau ditolak.`,
  sizeWay: (most: number): string => `${most}p`,
  upright: (name: string): string =>
    `${name} tampil tegak, sedangkan video ini mendatar: gambarnya terpotong atau kecil dengan bidang hitam.`,
  uprightWay: 'tegak 9:16',
  keyframes: (name: string, seconds: number): string =>
    `${name} meminta keyframe tiap ${seconds} detik tanpa B-frame. Itu tidak bisa kami periksa di video ini, dan video biasa tidak begitu: siarannya bisa patah-patah atau ditolak.`,
  keyframesWay: (seconds: number): string => `keyframe ${seconds} detik tanpa B-frame`,
  wayOut: (name: string, wishes: readonly string[]): string =>
    `Siapkan ulang untuk ${name}: ${wishes.join(', ')}. Ekspor begitu dari aplikasi edit Anda, lalu upload lagi.`,
} as const

export const PRESET_TEXTS = {
  serverRequired: (name: string): string => `Isi alamat server yang diberikan ${name}.`,
  serverGiven: 'Terisi sendiri. Ganti bila platform memberi alamat lain.',
  serverPerBroadcast: (name: string): string => `Salin dari ${name}: alamatnya tidak sama untuk semua orang.`,
  keyAlone: 'Isi kuncinya saja, disalin utuh sampai huruf terakhir.',
} as const

const KEY_WORDS = new Map([
  [true, 'Kuncinya tetap'],
  [false, 'Kuncinya baru untuk tiap siaran'],
])

const sessionWords = (hours: PlatformPreset['sessionHours']): string | null => {
  if (hours === null) return null
  return hours === 'unlimited' ? 'lama siaran tidak dibatasi' : `paling lama ${hours} jam per siaran`
}

/** 'Seluruh dunia · Kuncinya tetap · paling lama 48 jam per siaran' */
export const placeWords = ({ region, keyLasts, sessionHours }: PlatformPreset): string =>
  [region, keyLasts === null ? null : KEY_WORDS.get(keyLasts), sessionWords(sessionHours)].filter(Boolean).join(' · ')

/** 'Menerima sampai 6.000 kbps · 60 fps · keyframe tiap 2 detik · suara sampai 320 kbps'; null: nothing of it is known. */
export function takesWords({ takes }: PlatformPreset): string | null {
  const { videoKbps, isKbpsRough, audioKbps, fps, keyframeSeconds, bFrames, shortSide, upright, videoCodecs } = takes
  const known = [
    videoKbps && `sampai ${mostKbpsWords(videoKbps, isKbpsRough)}`,
    shortSide && `sampai ${shortSide}p`,
    upright && 'gambar tegak 9:16',
    fps && `sampai ${fps} fps`,
    keyframeSeconds && `keyframe paling jauh ${keyframeSeconds} detik`,
    bFrames === false && 'tanpa B-frame',
    videoCodecs && anyOf(videoCodecs.map(codecWords)),
    audioKbps && `suara sampai ${kbpsWords(audioKbps)}`,
  ].filter(Boolean)
  return known.length > 0 ? `Menerima ${known.join(' · ')}` : null
}
