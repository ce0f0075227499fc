/** What the calls of broadcasts with several targets say. */
export const BROADCAST_TEXTS = {
  targetsRequired: 'Pilih minimal satu target.',
  targetsTooMany: (most: number): string => `Paling banyak ${most} target per siaran.`,
  targetInvalid: 'Isi setiap target dengan targetId, atau dengan platform dan rtmpStream.',
  targetNotFound: 'Target tidak ditemukan.',
  targetTwice: 'Target yang sama dipilih dua kali. Pilih sekali saja.',
  needsPlaces: (needed: number, left: number): string => `Siaran ini butuh ${needed} tempat, tersisa ${left}.`,
  noRoomForAll: (count: number): string =>
    `Server penuh: tidak cukup tempat untuk ${count} target sekaligus. Kurangi targetnya, atau coba lagi nanti.`,
  cursorInvalid: 'Cursor tidak valid. Mulai lagi dari halaman pertama.',
  limitInvalid: 'limit harus angka 1 sampai 100.',
  started: (count: number): string => (count === 1 ? 'Siaran dimulai.' : `Siaran dimulai ke ${count} target.`),
  none: 'Tidak ada siaran aktif.',
  found: (count: number): string => `Ditemukan ${count} siaran.`,
  shown: 'Siaran ditemukan.',
  added: (count: number): string => `${count} target ditambahkan.`,
  removed: 'Target dilepas dari siaran.',
  removing: 'Target sedang dilepas dari siaran.',
} as const
