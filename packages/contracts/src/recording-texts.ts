export const RECORDING_TEXTS = {
  recordInvalid: 'Pilihan rekam siaran harus benar atau salah.',
  cursorInvalid: 'Halaman rekaman tidak dikenal.',
  limitInvalid: 'Jumlah rekaman per halaman harus 1 sampai 100.',
  partInvalid: 'Bagian rekaman tidak valid. Awal harus sebelum akhir, dalam detik.',
  filenameInvalid: 'Nama video tidak valid.',
  notFound: 'Rekaman tidak ditemukan.',
  listed: (count: number): string => (count === 0 ? 'Belum ada rekaman.' : `Ditemukan ${count} rekaman.`),
  found: 'Rekaman ditemukan.',
  removed: 'Rekaman dihapus.',
  stillRecording: 'Siaran ini masih direkam. Hentikan siarannya dulu.',
  used: 'Video sedang dibuat dari rekaman ini.',
  gone: 'Bagian rekaman ini tidak bisa dibaca lagi.',
  busy: 'Terlalu banyak rekaman yang sedang dibuka. Coba lagi sebentar lagi.',
  tooMany: (seconds: number): string => `Terlalu sering membuka rekaman. Coba lagi dalam ${seconds} detik.`,
  /** Why one of an online source ended before its broadcast did. */
  endedWhy: {
    'disk-full': 'Perekaman berhenti karena penyimpanan server hampir penuh. Siaran tetap berjalan.',
    'room-full': 'Perekaman berhenti karena ruang penyimpanan Anda habis. Siaran tetap berjalan.',
    'recorder-failed': 'Perekaman berhenti karena ada gangguan saat menulis rekaman. Siaran tetap berjalan.',
  },
  /** Said where a video is to be deleted. */
  keepsVideo: 'Video ini dipakai rekaman siaran. Hapus dulu rekamannya, atau tunggu sampai masa simpannya habis.',
} as const

const END_TEXTS: Readonly<Record<string, string>> = {
  'room-full': 'Ruang penyimpanan penuh, jadi rekamannya berakhir lebih dulu. Siarannya tetap berjalan.',
  'disk-full': 'Disk server penuh, jadi rekamannya berakhir lebih dulu. Siarannya tetap berjalan.',
}

/** Why a recording ended before its broadcast did. A code may be another version's. */
export const recordingEndText = (code: string): string =>
  (Object.hasOwn(END_TEXTS, code) ? END_TEXTS[code] : undefined) ??
  'Perekamnya berhenti, jadi rekamannya berakhir lebih dulu. Siarannya tetap berjalan.'
