import { STREAM_REASON_TEXTS } from './stream-reason-texts.ts'

/** Targets with a name: where broadcasts go. */
export const TARGET_TEXTS = {
  added: 'Tujuan disimpan.',
  changed: 'Perubahan disimpan.',
  changedOnAir:
    'Perubahan disimpan, dan dipakai mulai siaran berikutnya. Siaran yang sedang tayang ke tujuan ini tetap memakai yang lama; untuk menggantinya sekarang, lepas tujuan ini dari siaran itu lalu tambahkan lagi.',
  changedMeanwhile: 'Tujuan ini baru saja diubah di tempat lain. Muat ulang, lalu ulangi perubahan Anda.',
  removed: 'Tujuan dihapus.',
  one: 'Tujuan siaran Anda.',
  found: (count: number): string => `Ditemukan ${count} tujuan.`,
  none: 'Anda belum menyimpan tujuan siaran.',
  notFound: 'Tujuan tidak ditemukan. Mungkin sudah dihapus.',
  nameRequired: 'Isi nama tujuan.',
  nameTooLong: 'Nama tujuan terlalu panjang.',
  nameUnprintable: 'Nama tujuan berisi karakter yang tidak bisa ditampilkan.',
  nameTaken: 'Sudah ada tujuan dengan nama ini. Pilih nama lain.',
  limit: (count: number): string => `Paling banyak ${count} tujuan. Hapus yang tidak dipakai dulu.`,
  keyRequired: 'Isi stream key-nya.',
  keyInvalid: 'Stream key tidak valid. Salin lagi dari platform, tanpa spasi.',
  keyIsAddress: 'Isi stream key-nya saja: alamat servernya sudah diisi sendiri.',
  keyAgain: 'Server tujuannya berubah, jadi isi lagi stream key-nya.',
  addressInvalid: 'Alamat server tidak valid. Isi alamat yang diawali rtmp:// atau rtmps://, tanpa spasi.',
  addressHasQuery:
    'Alamat server tidak boleh berisi tanda tanya. Tempel alamat lengkap beserta key-nya, tanpa key terpisah.',
  presetInvalid: 'Preset platform ini tidak dikenal.',
  nothingToChange: 'Tidak ada yang diubah.',
  cursorInvalid: 'Penanda halaman (cursor) tidak valid. Mulai lagi dari halaman pertama.',
  limitInvalid: 'limit harus angka 1 sampai 100.',
  onAir: 'Tujuan ini sedang dipakai siaran, jadi tidak diuji: uji coba bisa memutus siaran itu.',
  testRunning: 'Uji coba sebelumnya masih berjalan. Tunggu sampai selesai.',
  testsFull: 'Server sedang menguji tujuan lain. Coba lagi beberapa detik lagi.',
  tooManyTests: 'Terlalu sering menguji. Tunggu beberapa menit, lalu coba lagi.',
} as const

/** What a platform answered to a test: what a broadcast would be told, and the sentences that only a test has. */
const CHECK_TEXTS = {
  ...STREAM_REASON_TEXTS,
  taken: 'Platform menerima siaran uji coba. Tujuan ini siap dipakai.',
  unknown: 'Uji coba gagal tanpa sebab yang jelas. Coba lagi; bila terulang, hubungi admin.',
  killed: 'Uji coba berhenti mendadak di server. Coba lagi.',
  'target-closed':
    'Platform menerima sambungan, lalu memutusnya di tengah uji coba. Periksa di platform apakah siarannya sudah dibuka, atau key-nya diganti.',
} as const

const isKnown = (result: string): result is keyof typeof CHECK_TEXTS => Object.hasOwn(CHECK_TEXTS, result)

/** The sentence for what a row says of the last test. A code may be another version's, which this one does not know. */
export const targetCheckText = (result: string): string => CHECK_TEXTS[isKnown(result) ? result : 'unknown']
