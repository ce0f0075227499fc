/** A video has so few that a list of them is never long. */
export const RENDITIONS_MAX = 6

export const RENDITION_TEXTS = {
  recipeInvalid: 'Format versi video tidak valid. Contoh yang benar: 1280x720@30:2800.',
  recipeOrPreset: 'Isi salah satu: format versi video, atau platform yang dituju.',
  presetUnknown: 'Platform yang dituju tidak dikenal.',
  nothingToMend: (name: string): string =>
    `Tidak ada yang perlu atau bisa kami siapkan ulang untuk ${name}. Siarkan video ini apa adanya.`,
  tooMany: (most: number): string =>
    `Satu video paling banyak punya ${most} versi. Hapus versi yang tidak dipakai dulu.`,
  tooLarge: 'Format ini lebih besar dari batas paket Anda. Pilih ukuran atau fps yang lebih kecil.',
  /** Why a video failed, or a version of it. */
  tooLongToMake:
    'Gambar atau suara video ini harus dibuat ulang, dan itu terlalu lama untuk paket Anda. Ekspor ke MP4 (H.264/AAC) dengan resolusi dan fps yang sesuai paket Anda, potong jadi beberapa bagian, atau upgrade paket, lalu coba lagi.',
  ordered: 'Versi baru sedang disiapkan. Video yang sekarang tetap bisa dipakai.',
  ready: 'Versi ini sudah siap.',
  notFound: 'Versi video ini tidak ada.',
  removed: 'Versi video dihapus.',
  onAir: 'Video ini sedang dipakai siaran langsung. Hentikan siarannya dulu, lalu hapus versinya.',
  listOnAir: 'Versi ini dipakai playlist yang sedang tayang. Hentikan siarannya dulu, lalu hapus versinya.',
  noOriginal: 'File asli video ini sudah tidak ada, jadi versi lain tidak bisa dibuat. Upload lagi videonya.',
  /** 'Siapkan ulang untuk Twitch: 6.000 kbps' */
  prepareFor: (name: string, wishes: readonly string[]): string => `Siapkan ulang untuk ${name}: ${wishes.join(', ')}`,
  readyFor: (name: string): string => `Siap untuk ${name}`,
} as const
