import { isReasonCode } from '../reason-codes.ts'
import { STREAM_REASON_TEXTS } from '../stream-reason-texts.ts'

/** What the calls about schedules say. */
export const SCHEDULE_TEXTS = {
  created: 'Jadwal disimpan.',
  changed: 'Jadwal diubah.',
  deleted: 'Jadwal dihapus. Siaran yang sedang tayang tetap berakhir pada waktunya.',
  paused: 'Jadwal dijeda. Siaran yang sedang tayang tidak ikut berhenti.',
  resumed: 'Jadwal dilanjutkan.',
  skipped: 'Tanggal itu dilewati.',
  unskipped: 'Tanggal itu tidak jadi dilewati.',
  found: (count: number): string => (count === 0 ? 'Belum ada jadwal.' : `${count} jadwal`),
  upcoming: (count: number): string => (count === 0 ? 'Tidak ada siaran terjadwal.' : `${count} siaran terjadwal`),
  one: 'Jadwal ditemukan.',
  notFound: 'Jadwal tidak ditemukan. Muat ulang daftarnya.',
  tooMany: (most: number): string => `Paling banyak ${most} jadwal. Hapus dulu jadwal yang tidak dipakai.`,
  neverDue: 'Jadwal ini tidak punya waktu yang akan datang. Pilih tanggal dan jam yang belum lewat.',
  overlaps: 'Waktu siarannya saling tumpang tindih. Atur supaya yang satu berakhir sebelum yang berikutnya mulai.',
  notThatDay: 'Tidak ada siaran terjadwal pada tanggal itu.',
  tooManyExceptions: 'Terlalu banyak tanggal yang dilewati. Ubah jadwalnya, atau buat jadwal baru.',
  ruleInvalid: 'Isi waktu jadwalnya.',
  repeatInvalid: 'Pilih sekali, setiap hari, atau hari tertentu.',
  windowsInvalid: 'Isi 1 sampai 12 waktu siaran.',
  timeInvalid: 'Tulis jam seperti 08:30.',
  dateInvalid: 'Tulis tanggal seperti 2026-11-16.',
  daysInvalid: 'Pilih hari dari 1 (Senin) sampai 7 (Minggu).',
  durationInvalid: 'Lama siaran 1 menit sampai 7 hari.',
  endTwice: 'Pilih jam selesai atau lama siaran, jangan keduanya.',
  exceptionsInvalid: 'Tanggal yang dilewati paling banyak 366.',
  zoneInvalid: 'Zona waktu tidak dikenal. Contoh: Asia/Jakarta, Asia/Makassar, Asia/Jayapura.',
  titleInvalid: 'Judul jadwal paling panjang 150 karakter.',
  changedMeanwhile:
    'Jadwal ini sudah diubah di tempat lain. Muat ulang jadwalnya, lalu ulangi perubahan Anda. Belum ada yang disimpan.',
  versionInvalid: 'Kirim version yang terakhir dibaca dari jadwal ini.',
  flagInvalid: 'Isi true atau false.',
  cursorInvalid: 'Halaman ini tidak dikenal. Mulai lagi dari awal daftar.',
  rangeInvalid: 'Isi from dan to sebagai waktu ISO, paling jauh 45 hari di antaranya.',
  broadcastInvalid: 'Isi siaran yang dijadwalkan.',
  targetsTwice: 'Isi targets saja, atau platform dan rtmpStream saja, jangan keduanya.',
} as const

/** '45 menit', '1 jam 30 menit', '2 hari 3 jam' */
export function lengthWords(minutes: number): string {
  const parts = [
    [Math.floor(minutes / 1440), 'hari'],
    [Math.floor(minutes / 60) % 24, 'jam'],
    [minutes % 60, 'menit'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ')
}

/** An occurrence that began after its time. */
export const lateWords = (minutes: number): string => `Mulai terlambat ${lengthWords(minutes)}`

/** Why an occurrence has not started, or will not if nothing changes. Each says what to do. */
export const SCHEDULE_REASON_TEXTS = {
  'server-away': 'Server tidak aktif selama waktu siaran ini, jadi siarannya terlewat.',
  'plan-limit': 'Batas siaran bersamaan paket Anda sudah terpakai. Hentikan siaran lain, atau upgrade paket.',
  'plan-schedule': 'Paket Anda saat ini tidak mencakup jadwal ini. Upgrade paket, atau ubah jadwalnya.',
  'access-stopped': 'Akses akun ini dihentikan. Upgrade paket atau hubungi administrator.',
  'source-invalid': 'Video atau sumbernya sudah tidak ada. Pilih video lain untuk jadwal ini.',
  'video-gone':
    'Video jadwal ini sudah dihapus. Video lain dengan nama yang sama tidak disiarkan sendiri. Ubah jadwal ini, lalu pilih videonya.',
  'source-forbidden': 'Alamat sumbernya tidak boleh dipakai. Pilih sumber lain untuk jadwal ini.',
  'source-not-live': 'Sumber online sedang tidak siaran. Dicoba lagi selama waktunya masih ada.',
  'source-unreachable': 'Sumber online tidak bisa dihubungi. Dicoba lagi selama waktunya masih ada.',
  'account-unknown': 'Akun platformnya sudah tidak ada. Tambahkan lagi akunnya, atau ubah jadwal ini.',
  'video-not-ready': 'Video belum siap disiarkan. Tunggu sampai siap, atau pilih video lain.',
  'target-invalid': 'Stream key atau alamat tujuannya tidak bisa dipakai. Perbarui tujuan jadwal ini.',
  'target-forbidden': 'Alamat tujuannya tidak boleh dipakai. Gunakan alamat RTMP milik platform.',
  'target-in-use': 'Stream key ini sedang dipakai siaran lain. Hentikan siaran itu, atau pakai key lain.',
  'target-deleted': 'Salah satu tujuan jadwal ini sudah dihapus. Ubah jadwal ini, lalu pilih tujuan lain.',
  'stream-not-found': 'Siaran yang key-nya dipakai jadwal ini sudah tidak ada. Isi lagi stream key-nya.',
  'server-full': 'Server sedang penuh. Dicoba lagi selama waktunya masih ada.',
  internal: 'Server belum bisa memulai siaran ini. Dicoba lagi selama waktunya masih ada.',
  paused: 'Jadwalnya sedang dijeda, jadi siaran ini dilewati.',
  skipped: 'Tanggal ini dilewati atas permintaan Anda.',
  'still-on-air': 'Siaran sebelumnya dari jadwal ini masih tayang, jadi tidak dimulai lagi.',
  unknown: 'Siaran ini belum bisa dimulai. Periksa video dan tujuannya.',
} as const
export type ScheduleReason = keyof typeof SCHEDULE_REASON_TEXTS

/** Why what was started is not on air has the words of streams. */
const ALL_TEXTS: Readonly<Record<string, string>> = { ...STREAM_REASON_TEXTS, ...SCHEDULE_REASON_TEXTS }

const deletedText = (names: readonly string[]): string =>
  `Tujuan ${names.join(', ')} sudah dihapus. Ubah jadwal ini, lalu pilih tujuan lain.`

/** The sentence for what a row says. A code may be another version's, which this one does not know. */
export function scheduleReasonText(stored: string, deletedTargets: readonly string[] = []): string {
  if (stored === 'target-deleted' && deletedTargets.length > 0) return deletedText(deletedTargets)
  const text = Object.hasOwn(ALL_TEXTS, stored) ? ALL_TEXTS[stored] : undefined
  return text ?? (isReasonCode(stored) ? SCHEDULE_REASON_TEXTS.unknown : stored)
}
