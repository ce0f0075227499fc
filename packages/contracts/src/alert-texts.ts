import { ALERT_CHANNEL_KINDS, type AlertChannelKind, type AlertKind } from './alert-kinds.ts'
import { formatBytes } from './format.ts'
import { type LeftBehind, leftBehindText } from './left-behind.ts'
import { PLAN_IDS, type PlanId, planOf } from './plans.ts'
import { PLATFORM_FACTS, PLATFORMS, type Platform } from './platforms.ts'
import { scheduleReasonText } from './schedules/schedule-texts.ts'
import { wallTimeAt } from './schedules/wall-time.ts'
import { STREAM_REASON_TEXTS, streamReasonText } from './stream-reason-texts.ts'
import { storedReasonText } from './video-reasons.ts'
import { WEBHOOK_TEXTS } from './webhook-texts.ts'

/** What the calls about alerts say. */
export const ALERT_TEXTS = {
  found: (count: number): string => (count === 0 ? 'Belum ada notifikasi.' : `${count} notifikasi`),
  unread: (count: number): string =>
    count === 0 ? 'Semua notifikasi sudah dibaca.' : `${count} notifikasi belum dibaca`,
  notFound: 'Notifikasi tidak ditemukan. Muat ulang daftarnya.',
  settings: 'Pengaturan notifikasi Anda.',
  settingsSaved: 'Pengaturan notifikasi disimpan.',
  channels: (count: number): string => (count === 0 ? 'Belum ada saluran notifikasi.' : `${count} saluran notifikasi`),
  channelAdded: 'Saluran ditambahkan. Kirim uji coba untuk memastikan pesannya sampai.',
  channelExists: 'Saluran ini sudah terdaftar.',
  channelChanged: 'Perubahan disimpan.',
  channelRemoved: 'Saluran dihapus.',
  channelNotFound: 'Saluran tidak ditemukan. Mungkin sudah dihapus. Muat ulang daftarnya.',
  link: {
    none: 'Belum ada kode yang dibuat.',
    waiting: 'Menunggu kode dikirim ke bot Telegram.',
    linked: 'Telegram terhubung. Kirim uji coba untuk memastikan pesannya sampai.',
    expired: 'Kodenya sudah kedaluwarsa. Buat kode baru.',
  },
  linkCancelled: 'Kode Telegram dibatalkan.',
  linkProblem: {
    conflict: 'Bot ini sedang dipakai program lain, jadi kodenya mungkin tidak sampai. Pakai bot lain.',
    token_refused: 'Telegram tidak menerima token bot ini lagi. Salin token baru dari @BotFather.',
  },
  linkRefused: {
    no_bot: 'Server ini tidak punya bot Telegram. Buat bot sendiri di @BotFather, lalu isi tokennya.',
    token_refused: 'Telegram tidak mengenal token ini. Salin lagi dari @BotFather, tanpa spasi.',
    bot_busy: 'Bot ini sedang dipakai program lain. Buat bot baru di @BotFather untuk notifikasi.',
    unreachable: 'Telegram tidak bisa dihubungi. Coba lagi sebentar lagi.',
  },
  linkStarted: 'Buka bot Telegram, lalu tekan Mulai. Saluran aktif begitu kodenya kami terima.',
  tooMany: (most: number): string => `Paling banyak ${most} saluran. Hapus dulu yang tidak dipakai.`,
  notOffered: 'Saluran ini belum disiapkan di server. Pilih saluran lain, atau hubungi administrator.',
  noVerifiedEmail: 'Alamat email akun Anda belum diverifikasi. Verifikasi dulu di halaman profil.',
  discordInvalid: 'Tempel alamat webhook Discord yang lengkap: https://discord.com/api/webhooks/…',
  botTokenInvalid: 'Token bot tidak valid. Salin lagi dari @BotFather, tanpa spasi.',
  pushInvalid: 'Langganan notifikasi browser tidak valid. Matikan lalu nyalakan lagi di browser ini.',
  nameInvalid: 'Nama saluran 1 sampai 60 karakter yang bisa ditampilkan.',
  nothingToChange: 'Tidak ada yang diubah.',
  cursorInvalid: 'Penanda halaman (cursor) tidak valid. Mulai lagi dari halaman pertama.',
  limitInvalid: 'limit harus angka 1 sampai 100.',
  idInvalid: 'Notifikasi ini tidak dikenal.',
  flagInvalid: 'Isi true atau false.',
  timeInvalid: 'Tulis jam seperti 22:00.',
  quietEmpty: 'Jam tenang harus mulai dan selesai pada jam yang berbeda.',
  kindsInvalid: 'Isi semua jenis notifikasi, masing-masing dengan app, telegram, discord, push, dan email.',
  offAirInvalid: 'Lama terputus 1 sampai 1440 menit.',
  restartsInvalid: 'Jumlah mulai ulang 1 sampai 100 per jam.',
  zoneInvalid: 'Zona waktu tidak dikenal. Contoh: Asia/Jakarta, Asia/Makassar, Asia/Jayapura.',
  tooManyTests: 'Terlalu sering mengirim uji coba. Tunggu beberapa menit, lalu coba lagi.',
  tested: {
    sent: 'Pesan uji coba diterima.',
    later: 'Pesan uji coba belum bisa dikirim sekarang. Coba lagi beberapa saat lagi.',
    gone: 'Saluran ini sudah tidak bisa dipakai, jadi kami matikan. Hubungkan lagi bila masih diperlukan.',
    refused: 'Pesan uji coba ditolak. Periksa jawabannya, lalu perbaiki salurannya.',
  },
  testTitle: 'Uji coba notifikasi',
  testText: 'Bila Anda membaca ini, saluran notifikasi Anda berfungsi.',
  timedOut: 'Tidak ada jawaban dalam 15 detik.',
  unreachable: 'Salurannya tidak bisa dihubungi.',
} as const

export const ALERT_KIND_LABELS: Readonly<Record<AlertKind, string>> = {
  'stream.failed': 'Siaran gagal',
  'stream.offair': 'Siaran terputus terlalu lama',
  'stream.back': 'Siaran tayang kembali',
  'stream.flapping': 'Siaran sering terputus',
  'schedule.missed': 'Jadwal terlewat',
  'schedule.failed': 'Jadwal gagal dimulai',
  'schedule.blocked': 'Jadwal terancam tidak bisa dimulai',
  'plan.ending': 'Paket segera habis',
  'plan.ended': 'Paket habis',
  'video.failed': 'Video gagal disiapkan',
  'room.low': 'Ruang hampir penuh',
  'recording.expiring': 'Rekaman segera dihapus',
  'channel.gone': 'Saluran notifikasi dimatikan',
}

export const ALERT_CHANNEL_LABELS: Readonly<Record<AlertChannelKind, string>> = {
  telegram: 'Telegram',
  discord: 'Discord',
  push: 'Notifikasi browser',
  email: 'Email',
}

/** What a row keeps of an alert, beside its kind: names as they were then, codes and figures, no sentences. */
export interface AlertDetails {
  readonly at: number
  /** The name of the broadcast, the schedule or the recording; a video's file name. */
  readonly name?: string | undefined
  readonly platform?: string | undefined
  readonly targetName?: string | null | undefined
  readonly reason?: string | null | undefined
  /** Off air since then; or: due at that time; or: a plan's or a recording's end. */
  readonly when?: number | undefined
  readonly lengthMs?: number | undefined
  readonly count?: number | undefined
  readonly plan?: string | undefined
  readonly usedBytes?: number | undefined
  readonly roomBytes?: number | undefined
  readonly channelKind?: string | undefined
  readonly answer?: string | undefined
  readonly left?: LeftBehind | undefined
}

export interface AlertWords {
  readonly title: string
  readonly text: string
}

const ZONE_NAMES: Readonly<Record<string, string>> = {
  'Asia/Jakarta': 'WIB',
  'Asia/Pontianak': 'WIB',
  'Asia/Makassar': 'WITA',
  'Asia/Jayapura': 'WIT',
}
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'Mei', 'Jun', 'Jul', 'Agu', 'Sep', 'Okt', 'Nov', 'Des'] as const
const pad = (value: number): string => String(value).padStart(2, '0')

/** `16 Nov 2026 pukul 08.30 WIB` */
export function timeWords(zone: string, atMs: number): string {
  const { date, minutes } = wallTimeAt(zone, atMs)
  const [year = '', month = '1', day = '1'] = date.split('-')
  const clock = `${pad(Math.floor(minutes / 60))}.${pad(minutes % 60)}`
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year} pukul ${clock} ${ZONE_NAMES[zone] ?? zone}`
}

/** `2 jam 5 menit`; less than a minute in seconds. */
export function lengthWords(lengthMs: number): string {
  const seconds = Math.max(0, Math.round(lengthMs / 1000))
  if (seconds < 60) return `${seconds} detik`
  const minutes = Math.floor(seconds / 60)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  const parts = [days && `${days} hari`, hours && `${hours} jam`, rest && `${rest} menit`].filter(Boolean)
  return parts.slice(0, 2).join(' ')
}

const isPlatform = (text: string): text is Platform => PLATFORMS.some((platform) => platform === text)
const isChannelKind = (text: string): text is AlertChannelKind => ALERT_CHANNEL_KINDS.some((kind) => kind === text)
const isPlan = (text: string): text is PlanId => PLAN_IDS.some((id) => id === text)

function placeWords({ platform = '', targetName }: AlertDetails): string {
  const label = isPlatform(platform) && platform !== 'lain' ? PLATFORM_FACTS[platform].label : ''
  if (targetName) return ` ke ${targetName}${label && label !== targetName ? ` (${label})` : ''}`
  return label ? ` ke ${label}` : ''
}

/** Codes that only facts have, not the rows of streams. */
const OWN_REASONS: Readonly<Record<string, string>> = {
  'program-restarted': STREAM_REASON_TEXTS.halted,
}
const streamReason = (reason: string | null | undefined): string =>
  reason ? ` ${OWN_REASONS[reason] ?? streamReasonText(reason)}` : ''

const broadcast = (details: AlertDetails): string => `Siaran “${details.name ?? ''}”${placeWords(details)}`

type Words = (details: AlertDetails, time: (atMs: number) => string) => AlertWords

const WORDS: Readonly<Record<AlertKind, Words>> = {
  'stream.failed': (details, time) => ({
    title: `Siaran gagal: ${details.name ?? ''}`,
    text: `${broadcast(details)} dihentikan pada ${time(details.at)} karena tidak bisa tayang.${streamReason(details.reason)} Setelah diperbaiki, mulai lagi siarannya.`,
  }),
  'stream.offair': (details, time) => ({
    title: `Siaran terputus: ${details.name ?? ''}`,
    text: `${broadcast(details)} tidak tayang sejak ${time(details.when ?? details.at)}.${streamReason(details.reason)} Kami terus mencoba menyambungkannya lagi, dan memberi tahu Anda begitu tayang kembali.`,
  }),
  'stream.back': (details, time) => ({
    title: `Tayang kembali: ${details.name ?? ''}`,
    text: `${broadcast(details)} tayang kembali pada ${time(details.at)}, setelah terputus selama ${lengthWords(details.lengthMs ?? 0)}.`,
  }),
  'stream.flapping': (details, time) => ({
    title: `Siaran sering terputus: ${details.name ?? ''}`,
    text: `${broadcast(details)} terputus ${details.count ?? 0} kali dalam satu jam, terakhir pada ${time(details.at)}.${streamReason(details.reason)} Kami terus menyambungkannya lagi; periksa tujuan dan bitrate videonya.`,
  }),
  'schedule.missed': (details, time) => ({
    title: `Jadwal terlewat: ${details.name ?? ''}`,
    text: `Siaran terjadwal “${details.name ?? ''}” seharusnya mulai pada ${time(details.when ?? details.at)}, tetapi terlewat. ${scheduleReasonText(details.reason ?? 'server-away')}`,
  }),
  'schedule.failed': (details, time) => ({
    title: `Jadwal gagal dimulai: ${details.name ?? ''}`,
    text: `Siaran terjadwal “${details.name ?? ''}” untuk ${time(details.when ?? details.at)} tidak bisa dimulai sampai waktunya habis. ${scheduleReasonText(details.reason ?? 'unknown')}`,
  }),
  'schedule.blocked': (details, time) => ({
    title: `Jadwal terancam tidak mulai: ${details.name ?? ''}`,
    text: `Siaran terjadwal “${details.name ?? ''}” untuk ${time(details.when ?? details.at)} belum bisa dimulai bila keadaannya tetap begini. ${scheduleReasonText(details.reason ?? 'unknown')}`,
  }),
  'plan.ending': (details, time) => ({
    title: 'Paket Anda segera habis',
    text: `Paket ${planWords(details)} berakhir pada ${time(details.when ?? details.at)}. Perpanjang sebelum itu supaya siaran Anda tidak berhenti.`,
  }),
  'plan.ended': (details, time) => ({
    title: 'Paket Anda sudah habis',
    text: `Paket ${planWords(details)} berakhir pada ${time(details.when ?? details.at)}, jadi siaran tidak bisa dilanjutkan. Upgrade paket untuk menyiarkan lagi.`,
  }),
  'video.failed': (details, time) => ({
    title: `Video gagal disiapkan: ${details.name ?? ''}`,
    text: `Video “${details.name ?? ''}” gagal disiapkan pada ${time(details.at)}. ${storedReasonText(details.reason ?? 'prepare-failed')}`,
  }),
  'room.low': (details) => ({
    title: 'Ruang penyimpanan hampir penuh',
    text: `Terpakai ${formatBytes(details.usedBytes ?? 0)} dari ${formatBytes(details.roomBytes ?? 0)}. Hapus video yang tidak dipakai, atau upgrade paket.`,
  }),
  'recording.expiring': (details, time) => ({
    title: `Rekaman segera dihapus: ${details.name ?? ''}`,
    text: `Rekaman “${details.name ?? ''}” dihapus pada ${time(details.when ?? details.at)}. Unduh sebelum itu bila masih diperlukan.`,
  }),
  'channel.gone': (details) => {
    if (details.left) return leftBehind(details.left)
    return details.channelKind === 'webhook' ? webhookOff(details) : channelOff(details)
  },
}

const leftBehind = (left: LeftBehind): AlertWords => ({
  title: 'Periksa yang ada sebelum password baru',
  text: leftBehindText(left) ?? '',
})

const channelOff = (details: AlertDetails): AlertWords => ({
  title: `Saluran dimatikan: ${details.name ?? ''}`,
  text: `${channelWords(details)} tidak bisa dipakai lagi, jadi kami matikan.${details.answer ? ` Jawabannya: ${withStop(details.answer)}` : ''} Hubungkan lagi di halaman notifikasi bila masih diperlukan.`,
})

const webhookOff = ({ name = '', reason }: AlertDetails): AlertWords => ({
  title: `Webhook dimatikan: ${name}`,
  text: WEBHOOK_TEXTS.notices[reason === 'gone' ? 'gone' : 'failing'],
})

/** What others say seldom ends as a sentence does. */
const withStop = (said: string): string => (/[.!?…]$/.test(said.trim()) ? said.trim() : `${said.trim()}.`)

const planWords = ({ plan = '' }: AlertDetails): string => (isPlan(plan) ? planOf(plan).name : plan)
/** `Discord “Grup tim”`; one that nobody gave a name is called like its kind, once. */
const channelWords = ({ channelKind = '', name }: AlertDetails): string => {
  const label = isChannelKind(channelKind) ? ALERT_CHANNEL_LABELS[channelKind] : 'Saluran'
  return name && name !== label ? `${label} “${name}”` : label
}

/** What an alert says, with times on the wall of a zone. */
export const alertWords = (kind: AlertKind, details: AlertDetails, zone: string): AlertWords =>
  WORDS[kind](details, (atMs) => timeWords(zone, atMs))

/** Several that waited, as one message. */
const SUMMARY_LINES = 10

export function summaryWords(titles: readonly string[]): AlertWords {
  const more = titles.length - SUMMARY_LINES
  const lines = titles.slice(0, SUMMARY_LINES).map((title) => `• ${title}`)
  return {
    title: `${titles.length} notifikasi`,
    text: [...lines, ...(more > 0 ? [`dan ${more} lagi. Lihat semuanya di halaman notifikasi.`] : [])].join('\n'),
  }
}
