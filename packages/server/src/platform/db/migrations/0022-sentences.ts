/**
 * The sentences that versions up to 0.2.2 wrote into rows, with the codes that take their place. Nothing here follows the texts of today:
 * a database of then has the words of then.
 */
export const STREAM_SENTENCES: Readonly<Record<string, string>> = {
  'Platform menolak stream key, atau key itu sedang dipakai siaran lain. Salin lagi key-nya dari platform.':
    'target-refused',
  'Server platform tidak bisa dihubungi. Periksa alamat dan port RTMP-nya, dan status layanan platform.':
    'target-unreachable',
  'Server platform tidak bisa dihubungi. Periksa alamat dan port RTMP-nya, atau coba lagi beberapa menit lagi.':
    'target-unreachable',
  'Platform memutus siaran. Periksa di platform apakah siarannya diakhiri, kena teguran, atau key-nya diganti.':
    'target-closed',
  'Alamat server platform tidak ditemukan. Periksa ejaan alamat RTMP-nya, bila Anda yang mengisinya.': 'name-not-found',
  'Alamat server tidak ditemukan. Periksa ejaan alamat RTMP-nya.': 'name-not-found',
  'Sambungan aman (rtmps) ke platform gagal. Periksa alamat dan port-nya, atau pakai alamat rtmp:// bila tersedia.':
    'tls-failed',
  'File video tidak ditemukan di server. Upload lagi videonya, lalu mulai siaran lagi.': 'source-missing',
  'File video tidak bisa dibaca. Ubah dulu formatnya ke MP4 (H.264/AAC), upload lagi, lalu mulai siaran lagi.':
    'source-unreadable',
  'Video sudah diputar sampai selesai. Nyalakan pengulangan bila siaran harus terus berjalan.': 'source-ended',
  'Platform tidak merespons terlalu lama. Periksa status layanan platform.': 'timed-out',
  'Platform tidak merespons terlalu lama. Coba lagi, dan periksa status layanan platform.': 'timed-out',
  'Proses siaran berhenti mendadak di server. Bila terulang, hubungi admin.': 'killed',
  'Proses siaran berhenti mendadak di server. Mulai lagi, dan hubungi admin bila terulang.': 'killed',
  'Siaran dihentikan.': 'stopped',
  'Siaran berhenti tanpa sebab yang jelas. Bila terulang, hubungi admin.': 'unknown',
  'Siaran berhenti tanpa sebab yang jelas. Mulai lagi, dan hubungi admin bila terulang.': 'unknown',
  'Masa paket Anda sudah habis, jadi siaran dihentikan. Upgrade paket untuk menyiarkan lagi.': 'plan-ended',
  'Akun ini dihentikan oleh administrator, jadi siarannya ikut berhenti. Hubungi administrator.': 'suspended',
  'Siaran dihentikan oleh administrator. Hubungi administrator untuk keterangan.': 'operator',
  'Dipulihkan: siarkan lagi? Server ini dipulihkan dari cadangan, jadi siarannya belum dimulai di sini.': 'restored',
  'Dipulihkan dari cadangan dan belum berjalan di sini. Tekan Siarkan lagi untuk memulainya.': 'restored',
  'Dipulihkan dari cadangan dan belum disiarkan dari sini: siarkan lagi?': 'restored',
  'Siaran tersendat karena data tidak sampai ke platform. Sambungan sedang dicoba ulang.': 'stalled',
  'Jalur ke platform lebih lambat daripada videonya. Bila terulang, pakai video dengan bitrate lebih rendah.':
    'lagging',
  'Alamat tujuan ini tidak boleh dipakai. Gunakan alamat RTMP milik platform.': 'target-forbidden',
  'Sumber online sedang tidak siaran atau tidak bisa dibuka. Siaran dilanjutkan sendiri begitu sumbernya kembali.':
    'source-away',
  'Server sedang penuh. Coba lagi beberapa menit lagi, atau hentikan siaran lain yang tidak dipakai.':
    'out-of-capacity',
  'Server dimulai ulang; siaran dilanjutkan sendiri.': 'halted',
  'Sesi diperbarui sebelum batas waktunya; siaran dilanjutkan sendiri.': 'session-renewed',
}

export const NOTE_SENTENCES: Readonly<Record<string, string>> = {
  'Sumber ini diubah formatnya saat disiarkan, karena formatnya tidak diterima platform.': 'source-encoded',
}

const VIDEO_SENTENCES: ReadonlyMap<string, string> = new Map([
  ['File kosong. Pilih file video yang berisi.', 'empty'],
  ['File ini tidak bisa dibaca sebagai video. Periksa filenya lalu coba lagi.', 'unreadable'],
  ['File video ini tidak lengkap. Salin ulang filenya dari sumbernya, lalu upload lagi.', 'truncated'],
  ['File ini tidak berisi gambar video. Pilih file video, bukan audio atau gambar.', 'no-video'],
  ['File ini gambar, bukan video. Pilih file video.', 'is-image'],
  ['File ini daftar putar, bukan video. Upload file videonya langsung.', 'is-playlist'],
  ['Video ini terlalu pendek untuk disiarkan. Pilih video yang lebih dari setengah detik.', 'too-short'],
  [
    'Gambar video ini terlalu besar. Paling besar 8K (8192x4608 titik): ekspor ulang dengan ukuran lebih kecil, lalu upload lagi.',
    'too-many-pixels',
  ],
  [
    'Video ini terlalu panjang. Paling lama 24 jam dengan 60 fps, atau 48 jam dengan 30 fps: potong dulu videonya, lalu upload lagi.',
    'too-long',
  ],
  [
    'Gambar video ini terlalu jarang berganti untuk disiapkan. Ekspor ulang dengan frame rate tetap, misalnya 25 fps, lalu upload lagi.',
    'too-sparse',
  ],
  [
    'File video ini tersusun tidak wajar sehingga terlalu berat untuk diperiksa. Ekspor ulang videonya, lalu upload lagi.',
    'too-much-work',
  ],
  ['Upload terputus sebelum selesai. Coba lagi.', 'cut-off'],
  ['Ruang penyimpanan server hampir penuh. Coba lagi nanti atau hubungi admin.', 'disk-full'],
  ['Ruang penyimpanan server sedang penuh. Coba lagi nanti atau hubungi admin.', 'disk-full'],
  ['Video ini gagal disiapkan untuk siaran. Coba proses ulang, atau upload dengan format lain.', 'prepare-failed'],
  [
    'Ukuran gambar video ini berubah di tengah, jadi tidak bisa diputar berulang. Ekspor ulang dengan satu ukuran, lalu upload lagi.',
    'picture-changes',
  ],
  ['Alamat ini tidak boleh dipakai. Gunakan alamat video yang bisa dibuka umum.', 'url-forbidden'],
  ['Alamat ini tidak bisa dibuka. Periksa alamatnya lalu coba lagi.', 'url-unreachable'],
  [
    'Server di alamat ini mengirim terlalu lambat. Coba lagi nanti, atau upload file videonya langsung.',
    'url-too-slow',
  ],
])

const PLANS: ReadonlyMap<string, string> = new Map([
  ['Free Trial', 'free-trial'],
  ['Starter', 'starter'],
  ['Creator Pro', 'creator-pro'],
  ['Business', 'business'],
])

const PLAN_WORDS =
  /^(.+\.) Paket (Free Trial|Starter|Creator Pro|Business) punya ruang \d+ GB\.(?: Upgrade ke [A-Za-z ]+ untuk ruang lebih besar\.)?$/
const URL_ANSWERED = /^Alamat ini menjawab (\d+), bukan video\. Periksa alamatnya lalu coba lagi\.$/
const NO_ROOM = /^Ruang Anda tidak cukup: tersisa (\S+ \S+), file ini butuh (\S+ \S+)\. Hapus video lama dulu\.$/
const OVER_ROOM =
  /^File ini lebih besar dari seluruh ruang Anda: butuh (\S+ \S+), ruang Anda (\S+ \S+)\. Kecilkan dulu filenya\.$/
const MASTER_TOO_LARGE =
  'Versi siap siar video ini lebih besar dari filenya dan tidak muat di ruang Anda. Hapus video lama, lalu proses ulang.'
const CUT_SHORT = 'File ini terpotong; bagian yang masih terbaca tetap bisa disiarkan.'
const PREPARE_AGAIN_FAILED = 'Gagal disiapkan ulang, jadi versi sebelumnya tetap dipakai. '

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB']

/** '1.023,50 MB' as bytes. */
function bytesOf(size = ''): number {
  const [figure = '', unit = ''] = size.split(' ')
  return Math.round(Number(figure.replaceAll('.', '').replace(',', '.')) * 1024 ** UNITS.indexOf(unit))
}

/** What takes the place of a sentence; null: it is none of ours, and stays. */
export function videoReasonOf(sentence: string): string | null {
  const plain = VIDEO_SENTENCES.get(sentence)
  if (plain) return plain
  const [, status] = URL_ANSWERED.exec(sentence) ?? []
  if (status) return JSON.stringify({ code: 'url-answered', status: Number(status) })
  const [, about = sentence, planName = ''] = PLAN_WORDS.exec(sentence) ?? []
  const plan = PLANS.get(planName) ?? null
  if (about === MASTER_TOO_LARGE) return JSON.stringify({ code: 'master-too-large', plan })
  const [, left, needed] = NO_ROOM.exec(about) ?? []
  if (left) return JSON.stringify({ code: 'no-room', leftBytes: bytesOf(left), neededBytes: bytesOf(needed), plan })
  const [, wanted, room] = OVER_ROOM.exec(about) ?? []
  if (room) return JSON.stringify({ code: 'over-room', roomBytes: bytesOf(room), neededBytes: bytesOf(wanted), plan })
  return null
}

export function videoWarningOf(sentence: string): string | null {
  if (sentence === CUT_SHORT) return 'cut-short'
  if (!sentence.startsWith(PREPARE_AGAIN_FAILED)) return null
  const because = sentence.slice(PREPARE_AGAIN_FAILED.length)
  return JSON.stringify({ code: 'prepare-again-failed', because: videoReasonOf(because) ?? because })
}
