/** Webhooks: other programs that are told what happens. */
export const WEBHOOK_TEXTS = {
  found: (count: number): string => `Ditemukan ${count} webhook.`,
  none: 'Anda belum punya webhook.',
  one: 'Webhook Anda.',
  added: 'Webhook dibuat. Simpan signing secret-nya sekarang: tidak akan ditampilkan lagi.',
  changed: 'Perubahan disimpan.',
  paused: 'Webhook dijeda. Kejadian selama dijeda tidak dikirim.',
  resumed: 'Webhook aktif lagi.',
  removed: 'Webhook dihapus.',
  rotated: 'Secret baru dibuat. Secret lama masih ikut menandatangani selama 24 jam.',
  deliveries: (count: number): string => `Ditemukan ${count} pengiriman.`,
  noDeliveries: 'Belum ada pengiriman.',
  delivery: 'Satu pengiriman webhook.',
  resent: 'Pengiriman diulang sekarang.',
  notFound: 'Webhook tidak ditemukan. Mungkin sudah dihapus.',
  deliveryNotFound: 'Pengiriman tidak ditemukan. Catatan disimpan paling lama 7 hari.',
  stillWaiting: 'Pengiriman ini masih menunggu gilirannya, jadi tidak perlu diulang.',
  notActive: 'Webhook ini tidak aktif. Aktifkan dulu, lalu ulangi.',
  urlRequired: 'Isi alamat webhook.',
  urlInvalid:
    'Alamat webhook tidak valid. Isi alamat lengkap yang diawali https://, tanpa nama pengguna dan password, dan tanpa port 0.',
  urlForbidden: 'Alamat ini tidak boleh dipakai: webhook hanya dikirim ke alamat umum di internet.',
  urlUnknown: 'Nama servernya tidak ditemukan. Periksa ejaan alamatnya.',
  http: 'Alamat ini tanpa enkripsi (http://), jadi isinya bisa dibaca di jalan. Pakai https:// bila bisa.',
  descriptionInvalid: 'Keterangan paling panjang 200 karakter, tanpa karakter yang tidak bisa ditampilkan.',
  eventsRequired: 'Pilih paling sedikit satu kejadian.',
  eventUnknown: 'Ada kejadian yang tidak dikenal.',
  nothingToChange: 'Tidak ada yang diubah.',
  cursorInvalid: 'Penanda halaman (cursor) tidak valid. Mulai lagi dari halaman pertama.',
  limitInvalid: 'limit harus angka 1 sampai 100.',
  stateUnknown: 'state harus waiting, delivered, atau failed.',
  tooMany: 'Terlalu sering. Tunggu beberapa menit, lalu coba lagi.',
  testRunning: 'Uji coba sebelumnya masih berjalan. Tunggu sampai selesai.',
  testsFull: 'Server sedang menguji webhook lain. Coba lagi beberapa detik lagi.',
  testTaken: (status: number): string => `Penerima menjawab ${status}. Webhook ini siap dipakai.`,
  hurried: 'Kiriman yang menunggu dikirim sekarang juga.',
  dropped: (count: number): string =>
    `${count} pengiriman terlama dibuang karena lebih dari 10.000 menunggu. Periksa penerimanya.`,
  /** Why one is not active, by its code. */
  notices: {
    plan: 'Paket Anda tidak mencakup webhook ini. Ia aktif lagi sendiri begitu paketnya mencukupi.',
    gone: 'Penerima menjawab 410 (sudah tidak ada), jadi webhook dimatikan. Perbaiki penerimanya, lalu aktifkan lagi.',
    failing: 'Penerima gagal terus selama tiga hari, jadi webhook dimatikan. Perbaiki penerimanya, lalu aktifkan lagi.',
  },
} as const

/** What came of a try, by the code in its row. */
const RESULT_TEXTS = {
  'bad-status': 'Penerima menjawab dengan status selain 2xx.',
  redirected: 'Penerima mengalihkan ke alamat lain. Pengalihan tidak diikuti: isi alamat akhirnya langsung.',
  gone: 'Penerima menjawab 410 (sudah tidak ada), jadi webhook dimatikan.',
  'slow-down': 'Penerima minta menunggu. Dicoba lagi sesudah waktu yang dimintanya.',
  'timed-out': 'Penerima tidak menjawab dalam 15 detik.',
  'address-forbidden': 'Alamatnya mengarah ke jaringan dalam, jadi tidak dihubungi.',
  'name-not-found': 'Nama servernya tidak ditemukan.',
  unreachable: 'Server penerima tidak bisa dihubungi.',
  'tls-failed': 'Sambungan aman gagal. Periksa sertifikat server penerima.',
  'queue-full': 'Dibuang: lebih dari 10.000 pengiriman menunggu di webhook ini.',
  failed: 'Gagal dikirim.',
} as const

const isKnown = (code: string): code is keyof typeof RESULT_TEXTS => Object.hasOwn(RESULT_TEXTS, code)

/** A code may be another version's, which this one does not know. */
export const webhookResultText = (code: string): string => RESULT_TEXTS[isKnown(code) ? code : 'failed']

/** What each event is, for the form that chooses them. */
export const WEBHOOK_EVENT_TEXTS = {
  'stream.started': 'Siaran diminta mulai',
  'stream.live': 'Siaran mulai tayang',
  'stream.interrupted': 'Siaran terputus',
  'stream.recovered': 'Siaran tayang lagi',
  'stream.failed': 'Siaran gagal dimulai',
  'stream.ended': 'Siaran berakhir',
  'video.ready': 'Video siap',
  'video.failed': 'Video gagal disiapkan',
  'schedule.started': 'Jadwal dimulai',
  'schedule.missed': 'Jadwal terlewat',
  'recording.ready': 'Rekaman siap',
  'plan.ending': 'Paket akan berakhir',
} as const
