/** What the calls of broadcasts with several targets say. */
export const BROADCAST_TEXTS = {
  targetsRequired: 'Pilih minimal satu tujuan.',
  targetsTooMany: (most: number): string => `Paling banyak ${most} tujuan per siaran.`,
  targetInvalid: 'Isi setiap tujuan dengan targetId, atau dengan platform dan rtmpStream.',
  targetNotFound: 'Tujuan tidak ditemukan.',
  targetTwice: 'Tujuan yang sama dipilih dua kali. Pilih sekali saja.',
  needsPlaces: (needed: number, left: number): string => `Siaran ini butuh ${needed} tempat, tersisa ${left}.`,
  noRoomForAll: (count: number): string =>
    `Server penuh: tidak cukup tempat untuk ${count} tujuan sekaligus. Kurangi tujuannya, atau coba lagi nanti.`,
  tooManyStarts: (seconds: number): string =>
    `Terlalu banyak siaran dimulai dalam satu jam. Tunggu ${Math.ceil(seconds / 60)} menit, lalu coba lagi.`,
  cursorInvalid: 'Cursor tidak valid. Mulai lagi dari halaman pertama.',
  limitInvalid: 'limit harus angka 1 sampai 100.',
  started: (count: number): string => (count === 1 ? 'Siaran dimulai.' : `Siaran dimulai ke ${count} tujuan.`),
  none: 'Tidak ada siaran aktif.',
  found: (count: number): string => `Ditemukan ${count} siaran.`,
  shown: 'Siaran ditemukan.',
  added: (count: number): string => `${count} tujuan ditambahkan.`,
  removed: 'Tujuan dilepas dari siaran.',
  removing: 'Tujuan sedang dilepas dari siaran.',
} as const
