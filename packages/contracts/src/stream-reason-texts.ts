import { isReasonCode } from './reason-codes.ts'
import { ONLINE_TEXTS } from './texts.ts'

/** What a creator reads. Each says what to do next, so none blames and none shows ffmpeg's own words. */
export const STREAM_REASON_TEXTS = {
  'target-refused':
    'Platform menolak stream key, atau key itu sedang dipakai siaran lain. Salin lagi key-nya dari platform.',
  'target-unreachable':
    'Server platform tidak bisa dihubungi. Periksa alamat dan port RTMP-nya, dan status layanan platform.',
  'target-closed':
    'Platform memutus siaran. Periksa di platform apakah siarannya diakhiri, kena teguran, atau key-nya diganti.',
  'name-not-found': 'Alamat server platform tidak ditemukan. Periksa ejaan alamat RTMP-nya, bila Anda yang mengisinya.',
  'tls-failed':
    'Sambungan aman (rtmps) ke platform gagal. Periksa alamat dan port-nya, atau pakai alamat rtmp:// bila tersedia.',
  'source-missing': 'File video tidak ditemukan di server. Upload lagi videonya, lalu mulai siaran lagi.',
  'playlist-unplayable':
    'Tidak ada video di playlist ini yang bisa diputar. Siaran dilanjutkan sendiri begitu salah satunya bisa diputar.',
  'video-preparing': 'Video masih disiapkan. Siaran dimulai sendiri begitu videonya siap.',
  'video-failed':
    'Video gagal disiapkan, jadi siarannya batal. Lihat sebabnya di daftar video, lalu mulai siaran lagi.',
  'video-too-large': 'Video lebih besar dari batas paket Anda. Siapkan ulang videonya, lalu mulai siaran lagi.',
  'source-unreadable':
    'File video tidak bisa dibaca. Ubah dulu formatnya ke MP4 (H.264/AAC), upload lagi, lalu mulai siaran lagi.',
  'source-ended': 'Video sudah diputar sampai selesai. Nyalakan pengulangan bila siaran harus terus berjalan.',
  'timed-out': 'Platform tidak merespons terlalu lama. Periksa status layanan platform.',
  killed: 'Proses siaran berhenti mendadak di server. Bila terulang, hubungi admin.',
  stopped: 'Siaran dihentikan.',
  unknown: 'Siaran berhenti tanpa sebab yang jelas. Bila terulang, hubungi admin.',
  'plan-ended': 'Masa paket Anda sudah habis, jadi siaran dihentikan. Upgrade paket untuk menyiarkan lagi.',
  'schedule-ended': 'Siaran berakhir sesuai jadwalnya.',
  suspended: 'Akun ini dihentikan oleh administrator, jadi siarannya ikut berhenti. Hubungi administrator.',
  operator: 'Siaran dihentikan oleh administrator. Hubungi administrator untuk keterangan.',
  restored: 'Dipulihkan: siarkan lagi? Server ini dipulihkan dari cadangan, jadi siarannya belum dimulai di sini.',
  stalled: 'Siaran tersendat karena data tidak sampai ke platform. Sambungan sedang dicoba ulang.',
  lagging: 'Jalur ke platform lebih lambat daripada videonya. Bila terulang, pakai video dengan bitrate lebih rendah.',
  'target-forbidden': 'Alamat tujuan ini tidak boleh dipakai. Gunakan alamat RTMP milik platform.',
  'source-away':
    'Sumber online sedang tidak siaran atau tidak bisa dibuka. Siaran dilanjutkan sendiri begitu sumbernya kembali.',
  'store-away':
    'Penyimpanan video sedang tidak bisa dijangkau. Siaran dilanjutkan sendiri begitu penyimpanannya kembali.',
  'server-trouble':
    'Ada gangguan di server, jadi siaran belum bisa dimulai. Server mencobanya lagi sendiri. Bila terulang, hubungi admin.',
  'out-of-capacity':
    'Server sedang penuh. Coba lagi beberapa menit lagi, atau hentikan siaran lain yang tidak dipakai.',
  halted: 'Server dimulai ulang; siaran dilanjutkan sendiri.',
  'session-renewed': 'Sesi diperbarui sebelum batas waktunya; siaran dilanjutkan sendiri.',
  'video-changed': 'Video berikutnya berbeda ukuran atau format, jadi sesi baru dimulai dengannya.',
} as const
export type StreamReasonCode = keyof typeof STREAM_REASON_TEXTS

/** Something to know while all is well. */
const STREAM_NOTE_TEXTS = {
  'source-encoded': ONLINE_TEXTS.encoded,
  'logo-encoded': ONLINE_TEXTS.logoEncoded,
  'logo-left-out': ONLINE_TEXTS.logoLeftOut,
} as const
export type StreamNote = keyof typeof STREAM_NOTE_TEXTS

const textIn = (texts: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(texts, code) ? texts[code] : undefined

/** The sentence for what a row says. A code may be another version's, which this one does not know. */
export const streamReasonText = (stored: string): string =>
  textIn(STREAM_REASON_TEXTS, stored) ?? (isReasonCode(stored) ? STREAM_REASON_TEXTS.unknown : stored)

/** The same for a note; null: nothing that this version can put into words. */
export const streamNoteText = (stored: string): string | null =>
  textIn(STREAM_NOTE_TEXTS, stored) ?? (isReasonCode(stored) ? null : stored)
