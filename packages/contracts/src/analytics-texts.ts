/** What the calls about analytics say. */
export const ANALYTICS_TEXTS = {
  summary: 'Ringkasan siaran.',
  found: (count: number): string => (count === 0 ? 'Belum ada siaran pada rentang ini.' : `${count} siaran`),
  story: 'Riwayat siaran ditemukan.',
  series: (count: number): string => (count === 0 ? 'Belum ada data pada rentang ini.' : `${count} titik data`),
  report: 'Laporan bulanan.',
  reportMail: 'Pengaturan laporan bulanan.',
  reportMailOn: 'Laporan bulanan dikirim lewat email setiap tanggal 1.',
  reportMailOff: 'Laporan bulanan tidak dikirim lewat email.',
  notFound: 'Siaran ini tidak ditemukan di analitik. Muat ulang daftarnya.',
  /** Incidents of a line that breaks every few seconds, told as one. */
  oftenFor: (reason: string, count: number): string => `${reason} (${count} kali)`,
  zoneInvalid: 'Zona waktu tidak dikenal. Contoh: Asia/Jakarta, Asia/Makassar, Asia/Jayapura.',
  cursorInvalid: 'Halaman ini tidak dikenal. Mulai lagi dari awal daftar.',
  instantInvalid: 'Isi from dan to sebagai waktu ISO, misalnya 2026-11-16T08:00:00Z.',
  rangeInvalid: 'Tanggal awal harus sebelum tanggal akhir, paling jauh 366 hari di antaranya.',
  streamInvalid: 'Isi streamId siarannya.',
  csvKindInvalid: 'Pilih kind: days, broadcasts, atau incidents.',
  tablesAtOnce: 'Beberapa tabel masih diunduh. Tunggu sampai selesai, lalu coba lagi.',
  monthInvalid: 'Tulis bulan seperti 2026-11.',
  monthAhead: 'Bulan itu belum mulai. Pilih bulan ini atau sebelumnya.',
  flagInvalid: 'Isi true atau false.',
  mailUnavailable: 'Server ini belum bisa mengirim email. Hubungi administrator untuk mengaktifkannya.',
  days: (plan: string, days: number, next: string | null): string =>
    `Paket ${plan} menampilkan analitik ${days} hari terakhir. Pilih tanggal yang lebih baru${next ? `, atau upgrade ke ${next}` : ''}.`,
  csv: (plan: string, next: string | null): string =>
    `Paket ${plan} belum punya unduhan CSV.${next ? ` Upgrade ke ${next} untuk mengunduhnya.` : ''}`,
  live: (plan: string, next: string | null): string =>
    `Paket ${plan} belum punya grafik langsung.${next ? ` Upgrade ke ${next} untuk melihatnya.` : ''}`,
  monthly: (plan: string, next: string | null): string =>
    `Paket ${plan} belum punya laporan bulanan.${next ? ` Upgrade ke ${next} untuk mendapatkannya.` : ''}`,
} as const
