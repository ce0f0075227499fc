/** Sentences that server and browser both say. The specification quotes most of them: they are the messages. */
export const API_KEY_TEXTS = {
  required: 'API Key diperlukan.',
  wrong: 'API Key salah atau sudah diganti.',
} as const

/** The blocking notice, and what a feature call says to an account that gets it. */
export const ACCESS_TEXTS = {
  stopped: 'Akses gratis Anda telah dihentikan. Hubungi administrator atau upgrade ke premium untuk melanjutkan.',
} as const

/** Each names the plan, its limit and the way up. */
export const PLAN_TEXTS = {
  standing: 'Paket Anda saat ini.',
  streams: (plan: string, limit: number, next: string | null): string =>
    `Paket ${plan} mengizinkan ${limit} siaran bersamaan. ${next ? `Upgrade ke ${next} untuk menambah` : 'Hubungi kami untuk menambah'}, atau hentikan siaran lain dulu.`,
  resolution: (plan: string, limit: string, next: string | null): string =>
    `Video ini lebih besar dari ${limit}, batas paket ${plan}. Siapkan ulang videonya${next ? `, atau upgrade ke ${next}` : ''}.`,
  storage: (plan: string, limit: string, next: string | null): string =>
    `Paket ${plan} punya ruang ${limit}.${next ? ` Upgrade ke ${next} untuk ruang lebih besar.` : ''}`,
  apiRate: (plan: string, limit: number, seconds: number, next: string | null): string =>
    `Paket ${plan} mengizinkan ${limit} permintaan API per menit. Coba lagi dalam ${seconds} detik${next ? `, atau upgrade ke ${next}` : ''}.`,
  noSchedules: (plan: string, next: string | null): string =>
    `Paket ${plan} belum punya siaran terjadwal.${next ? ` Upgrade ke ${next} untuk menjadwalkan siaran.` : ''}`,
  simpleSchedules: (plan: string, next: string | null): string =>
    `Paket ${plan} bisa menjadwalkan sekali atau setiap hari, satu waktu sehari.${next ? ` Upgrade ke ${next} untuk hari tertentu dan beberapa waktu sehari.` : ''}`,
  noWebhooks: (plan: string, next: string | null): string =>
    `Paket ${plan} belum punya webhook.${next ? ` Upgrade ke ${next} untuk memakainya.` : ''}`,
  webhooks: (plan: string, limit: number, next: string | null): string =>
    `Paket ${plan} mengizinkan ${limit} webhook aktif.${next ? ` Upgrade ke ${next} untuk lebih banyak,` : ''} ${next ? 'atau hapus' : 'Hapus'} yang tidak dipakai dulu.`,
  prepareAgain: 'Video disiapkan ulang sesuai paket Anda.',
  nothingToGain: 'Video ini sudah disiapkan sebaik yang diizinkan paket Anda.',
  prepareAgainFailed: (reason: string): string =>
    `Gagal disiapkan ulang, jadi versi sebelumnya tetap dipakai. ${reason}`,
} as const

export const VIDEO_TEXTS = {
  pickFile: 'Pilih file video.',
  invalid: 'Video tidak valid.',
  uploaded: 'Upload berhasil.',
  uploadFailed: 'Gagal upload.',
  deleted: 'Video berhasil dihapus.',
  notFound: 'Video tidak ditemukan.',
  importStarted: 'Video sedang diambil dari alamat itu.',
  retried: 'Video diproses ulang.',
  notFailed: 'Video ini tidak perlu diproses ulang.',
  empty: 'File kosong. Pilih file video yang berisi.',
  unreadable: 'File ini tidak bisa dibaca sebagai video. Periksa filenya lalu coba lagi.',
  truncated: 'File video ini tidak lengkap. Salin ulang filenya dari sumbernya, lalu upload lagi.',
  noVideo: 'File ini tidak berisi gambar video. Pilih file video, bukan audio atau gambar.',
  isImage: 'File ini gambar, bukan video. Pilih file video.',
  isPlaylist: 'File ini daftar putar, bukan video. Upload file videonya langsung.',
  tooShort: 'Video ini terlalu pendek untuk disiarkan. Pilih video yang lebih dari setengah detik.',
  tooManyPixels:
    'Gambar video ini terlalu besar. Paling besar 8K (8192x4608 titik): ekspor ulang dengan ukuran lebih kecil, lalu upload lagi.',
  tooLong:
    'Video ini terlalu panjang. Paling lama 24 jam dengan 60 fps, atau 48 jam dengan 30 fps: potong dulu videonya, lalu upload lagi.',
  tooSparse:
    'Gambar video ini terlalu jarang berganti untuk disiapkan. Ekspor ulang dengan frame rate tetap, misalnya 25 fps, lalu upload lagi.',
  tooMuchWork:
    'File video ini tersusun tidak wajar sehingga terlalu berat untuk diperiksa. Ekspor ulang videonya, lalu upload lagi.',
  tooMuchSound: 'Suara video ini melebihi 768 kHz atau 32 kanal. Ekspor ulang dengan AAC stereo, lalu upload lagi.',
  overTime:
    'Menyiapkan video ini melewati batas waktu server. Ekspor ke MP4 (H.264/AAC), paling besar 1080p, atau potong jadi beberapa bagian, lalu upload lagi.',
  manyWaiting: 'Server sedang memeriksa banyak file. Coba lagi sebentar lagi.',
  lookedIntoLater:
    'Server sedang sibuk. File Anda sudah diterima dan akan diperiksa lagi nanti; videonya muncul di daftar setelah itu.',
  cutOff: 'Upload terputus sebelum selesai. Coba lagi.',
  diskFull: 'Ruang penyimpanan server hampir penuh. Coba lagi nanti atau hubungi admin.',
  tooManyUploads: (most: number): string =>
    `Sudah ada ${most} upload yang belum selesai. Tunggu atau batalkan salah satunya, lalu coba lagi.`,
  tooManyImports: (most: number): string =>
    `Sudah ada ${most} video yang menunggu diambil. Tunggu sampai sebagian selesai, lalu coba lagi.`,
  tooManyVideos: (most: number): string =>
    `Anda sudah punya ${most} video, sebanyak yang bisa disimpan. Hapus video lama dulu.`,
  cursorInvalid: 'Halaman daftar video ini tidak dikenal. Muat ulang daftarnya.',
  noRoom: (left: string, needed: string): string =>
    `Ruang Anda tidak cukup: tersisa ${left}, file ini butuh ${needed}. Hapus video lama dulu.`,
  overRoom: (room: string, needed: string): string =>
    `File ini lebih besar dari seluruh ruang Anda: butuh ${needed}, ruang Anda ${room}. Kecilkan dulu filenya.`,
  masterTooLarge:
    'Versi siap siar video ini lebih besar dari filenya dan tidak muat di ruang Anda. Hapus video lama, lalu proses ulang.',
  notReady: 'Video masih diproses. Tunggu sampai siap, lalu mulai siaran.',
  failedEarlier: 'Video ini gagal diproses, jadi belum bisa disiarkan. Coba proses ulang dulu.',
  onAir: 'Video sedang dipakai siaran langsung.',
  inPlaylist: 'Video ini ada di playlist. Keluarkan dulu dari playlist, lalu hapus lagi.',
  prepareFailed: 'Video ini gagal disiapkan untuk siaran. Coba proses ulang, atau upload dengan format lain.',
  pictureChanges:
    'Ukuran gambar video ini berubah di tengah, jadi tidak bisa diputar berulang. Ekspor ulang dengan satu ukuran, lalu upload lagi.',
  warnTruncated: 'File ini terpotong; bagian yang masih terbaca tetap bisa disiarkan.',
  urlInvalid: 'Isi alamat video yang diawali http:// atau https://.',
  urlForbidden: 'Alamat ini tidak boleh dipakai. Gunakan alamat video yang bisa dibuka umum.',
  urlUnreachable: 'Alamat ini tidak bisa dibuka. Periksa alamatnya lalu coba lagi.',
  urlTooSlow: 'Server di alamat ini mengirim terlalu lambat. Coba lagi nanti, atau upload file videonya langsung.',
  recordingGone: 'Rekaman untuk video ini sudah dihapus atau tidak bisa dibaca lagi. Hapus video ini.',
  urlAnswered: (status: number): string =>
    `Alamat ini menjawab ${status}, bukan video. Periksa alamatnya lalu coba lagi.`,
} as const

export const STREAM_TEXTS = {
  pickVideo: 'Pilih video terlebih dahulu.',
  pickTikTokAccount: 'Pilih akun TikTok terlebih dahulu.',
  tikTokAccountNotFound: 'Akun TikTok tidak ditemukan.',
  tikTokTokenMissing: 'Token tidak ditemukan pada akun ini.',
  keyRequired: 'RTMP/stream key diperlukan.',
  keyInvalid: 'RTMP/stream key tidak valid. Salin lagi dari platform, tanpa spasi.',
  wholeUrlRequired: 'Isi alamat lengkap yang diawali rtmp:// atau rtmps://.',
  targetPrivate: 'Alamat tujuan ini tidak boleh dipakai. Gunakan alamat RTMP milik platform.',
  targetUnknownHost: 'Alamat tujuan tidak ditemukan. Periksa lagi nama servernya.',
  platformUnknown: 'Pilih platform tujuan: Facebook, TikTok, YouTube, atau Lainnya.',
  sourceInvalid: 'Sumber video tidak valid.',
  titleTooLong: 'Judul siaran terlalu panjang.',
  titleInvalid: 'Judul siaran tidak valid.',
  whenReadyInvalid: 'Pilihan siarkan begitu siap harus true atau false.',
  loopingInvalid: 'Pilihan putar berulang harus true atau false.',
  fallbackInvalid: 'Video cadangan tidak valid.',
  accountInvalid: 'Akun yang dipilih tidak valid.',
  streamIdInvalid: 'Stream ID tidak valid.',
  streamNotFound: 'Siaran tidak ditemukan atau sudah selesai.',
  targetNotKept: 'Kunci dari siaran itu tidak tersimpan. Isi RTMP/stream key-nya.',
  sameTarget: 'Siaran ke tujuan ini sudah berjalan. Hentikan dulu yang lama, atau pakai stream key lain.',
  serverFull: 'Server penuh: belum ada tempat untuk siaran baru. Coba lagi nanti.',
  serverBusy:
    'Server penuh: CPU-nya terlalu sibuk untuk siaran baru. Yang sudah tayang tetap jalan. Coba lagi beberapa menit lagi.',
  serverMemoryFull:
    'Server penuh: memorinya tidak cukup untuk siaran baru. Yang sudah tayang tetap jalan. Coba lagi beberapa menit lagi.',
  stopping: 'Siaran sedang dihentikan.',
  swapping: 'Video akan diganti saat putaran yang sekarang selesai.',
  goesOn: 'Video yang sedang diputar diteruskan. Tidak ada video lain yang menunggu giliran.',
  started: 'Live stream berhasil dimulai!',
  startsWhenReady: 'Siaran dimulai sendiri begitu videonya siap.',
  stopped: 'Live stream berhasil dihentikan!',
  stoppedUnwritten:
    'Siaran sudah dihentikan, tetapi penyimpanan server penuh sehingga ini belum tercatat. Daftar siaran menyusul setelah ada ruang. Jika server dimulai ulang sebelum itu, periksa lagi.',
  startFailed: 'Gagal memulai live stream.',
  noneActive: 'Tidak ada live stream aktif.',
  found: (count: number): string => `Ditemukan ${count} stream aktif.`,
  confirmStop: 'Yakin ingin menghentikan live stream ini?',
} as const

export const ACCOUNT_TEXTS = {
  added: 'Akun berhasil ditambahkan.',
  removed: 'Akun berhasil dihapus.',
  found: (kind: string, count: number): string => `Ditemukan akun ${kind} ${count}.`,
  none: (kind: string): string => `Anda belum memasukan akun ${kind}.`,
  noData: 'Tidak ada data akun saat ini.',
  /** The first of a pair is said when the server refuses without a word, the second when it cannot be asked. */
  addRefused: 'Gagal menambahkan akun.',
  addFailed: 'Terjadi kesalahan saat menambahkan akun.',
  listRefused: 'Gagal mengambil data akun.',
  listFailed: 'Terjadi kesalahan saat mengambil akun.',
  removeRefused: 'Gagal menghapus akun.',
  removeFailed: 'Terjadi kesalahan saat menghapus akun.',
  nameRequired: 'Isi nama akun.',
  nameTooLong: 'Nama akun terlalu panjang.',
  nameUnprintable: 'Nama akun berisi karakter yang tidak bisa ditampilkan.',
  siteIdRequired: 'Isi Id Bigo.',
  siteIdInvalid: 'Id Bigo tidak valid. Salin Id dari profil Bigo, tanpa spasi.',
  tokenRequired: 'Isi token TikTok.',
  tokenInvalid: 'Token TikTok tidak valid. Salin lagi seluruhnya, tanpa spasi.',
  exists: 'Akun ini sudah ada di daftar Anda.',
  inUse: 'Akun ini sedang dipakai siaran. Hentikan dulu siarannya.',
  limit: (count: number): string => `Paling banyak ${count} akun per platform. Hapus yang tidak dipakai dulu.`,
  notFound: 'Akun tidak ditemukan.',
} as const

/** Online sources: rooms on Bigo, and HLS addresses. */
export const ONLINE_TEXTS = {
  urlRequired: 'Isi alamat HLS (.m3u8) yang diawali http:// atau https://.',
  urlTooLong: 'Alamat sumber terlalu panjang.',
  urlInvalid:
    'Alamat sumber tidak valid. Isi alamat lengkap yang diawali http:// atau https://, tanpa username dan password.',
  urlForbidden: 'Alamat sumber ini tidak boleh dipakai. Gunakan alamat yang bisa dibuka umum.',
  urlUnknownHost: 'Nama server sumber tidak ditemukan. Periksa lagi alamatnya.',
  urlUnreachable: 'Sumber tidak bisa dibuka. Periksa alamatnya, atau coba lagi beberapa saat lagi.',
  urlAnswered: (status: number): string => `Sumber menjawab ${status}. Periksa alamatnya, atau coba lagi nanti.`,
  notHls: 'Alamat ini bukan siaran HLS (.m3u8). Salin alamat playlist-nya, bukan alamat halamannya.',
  notLive: 'Sumber sedang tidak siaran. Tunggu sampai mulai, lalu coba lagi.',
  added: 'Sumber online ditambahkan.',
  removed: 'Sumber online dihapus.',
  found: (count: number): string => `Ditemukan ${count} sumber online.`,
  exists: 'Alamat ini sudah ada di daftar sumber Anda.',
  limit: (count: number): string => `Paling banyak ${count} sumber online. Hapus yang tidak dipakai dulu.`,
  notFound: 'Sumber online tidak ditemukan.',
  noneLive: 'Tidak ada stream yang aktif saat ini.',
  encoded: 'Sumber ini diubah formatnya saat disiarkan, karena formatnya tidak diterima platform.',
  logoEncoded: 'Logo Anda dipasang saat disiarkan. Untuk itu gambarnya diproses ulang, paling tinggi 720p.',
  logoLeftOut:
    'Disiarkan tanpa logo: semua encoder di server sedang dipakai. Logo dicoba lagi saat siaran tersambung ulang.',
  swapImpossible: 'Siaran dari sumber online tidak bisa diganti videonya. Hentikan dulu, lalu mulai siaran baru.',
  fallbackInvalid: 'Video cadangan tidak ditemukan. Pilih salah satu video Anda.',
  previewNotMedia:
    'Ini bukan video atau audio yang bisa diputar di sini. Sumber terenkripsi tetap bisa disiarkan, tetapi tanpa pratinjau.',
  previewTooBig: 'Pratinjau ini terlalu besar untuk diputar di sini.',
  tooMany: 'Terlalu banyak permintaan. Tunggu sebentar, lalu coba lagi.',
  previewEnded: 'Pratinjau ini sudah kedaluwarsa. Pilih lagi sumbernya.',
} as const

export const BIGO_TEXTS = {
  live: 'Sedang siaran.',
  offline: 'Tidak sedang siaran.',
  unknown: 'Id Bigo ini tidak ditemukan.',
  blocked: 'Bigo meminta login atau menolak server kami. Pakai "Tambah sumber online" bila Anda punya alamat HLS-nya.',
  closed: 'Ruang Bigo ini terkunci atau berbayar, jadi tidak bisa disiarkan ulang.',
  unreachable: 'Bigo tidak bisa dihubungi. Coba lagi beberapa saat lagi.',
  addedUnchecked: 'Akun berhasil ditambahkan. Bigo belum bisa ditanya, jadi Id-nya belum diperiksa.',
} as const

export const TIKTOK_TEXTS = {
  targetGiven: 'Get RTMP Berhasil.',
  noAnswer: 'Tidak ada respons dari server TikTok.',
  targetRefused: 'Gagal mendapatkan RTMP URL dari TikTok.',
  targetMissing: 'RTMP URL tidak ditemukan dalam respons.',
  tokenInvalid: 'Token TikTok tidak berlaku lagi. Ambil token baru, lalu perbarui akunnya.',
  banned: 'Akun TikTok ini sedang diblokir dari siaran langsung.',
  noLiveAuth: 'Akun TikTok ini belum punya izin siaran langsung. Ajukan dulu di TikTok.',
  alreadyLive: 'Akun TikTok ini sedang siaran. Akhiri dulu siarannya, lalu coba lagi.',
  rateLimited: 'TikTok membatasi permintaan. Tunggu beberapa menit, lalu coba lagi.',
  scopeMissing: 'Token TikTok ini tidak memberi izin siaran langsung. Ambil token baru dengan izin itu.',
  addedUnchecked: 'Akun berhasil ditambahkan. TikTok belum bisa ditanya, jadi token-nya belum diperiksa.',
  addedNotAllowed: 'Akun berhasil ditambahkan, tetapi TikTok belum mengizinkannya siaran langsung.',
} as const

export const SYSTEM_TEXTS = { status: 'Keadaan server saat ini.' } as const

const waitWords = (seconds: number): string => {
  if (seconds < 60) return `${seconds} second${seconds === 1 ? '' : 's'}`
  const minutes = Math.ceil(seconds / 60)
  return `${minutes} minute${minutes === 1 ? '' : 's'}`
}

export const AUTH_TEXTS = {
  registered: 'Registration successful. You can now login with your credentials.',
  loggedIn: 'Login successful.',
  loggedOut: 'Logged out.',
  profile: 'Profile loaded.',
  apiKeyChanged: 'Your new API key is active. The old one no longer works.',
  wrongCredentials: 'Email or password is wrong.',
  usernameTaken: 'This username is already taken.',
  emailTaken: 'This email is already registered.',
  sessions: 'Sessions loaded.',
  sessionEnded: 'The other device has been logged out.',
  sessionNotFound: 'This session has ended already.',
  passwordChanged:
    'Your password has been changed. All other devices have been logged out, and your API key is a new one.',
  passwordNeeded: 'Ketik password Anda dulu: perangkat ini belum dikenal untuk akun ini.',
  passwordTooCommon:
    'Password ini terlalu umum dan mudah ditebak. Pilih yang lain, misalnya beberapa kata yang tidak berhubungan.',
  passwordIsName: 'Password tidak boleh sama dengan username atau email Anda.',
  confirmed: 'Password benar. Silakan lanjutkan.',
  ticketGiven: 'Tiket untuk video Anda.',
  ticketEnded: 'Alamat ini tidak berlaku lagi. Muat ulang halaman ini.',
  currentPasswordRequired: 'Ketik password Anda yang sekarang.',
  currentPasswordWrong: 'Password ini salah. Ketik password Anda yang sekarang.',
  usernameChanged: 'Your username has been changed.',
  confirmWithUsername: 'Please type your username exactly as it is shown.',
  accountDeleted: 'Your account and all its files have been deleted.',
  accountBeingDeleted: 'Your account is being deleted with all its files. This takes a few minutes.',
  suspended: 'This account is suspended. Please contact the administrator.',
  notAuthenticated: 'Please login first.',
  tokenExpired: 'Token expired. Please login again.',
  tokenInvalidated: 'Token invalidated. Please login again.',
  sessionUnknown: 'Session expired. Please login again.',
  tooManyLogins: 'Too many people are logging in at this moment. Please try again in a few seconds.',
  tooManyAttempts: (seconds: number): string => `Too many attempts. Please try again in ${waitWords(seconds)}.`,
} as const

/** The screens of sign-in speak English, all others Indonesian. */
export const GENERAL_TEXTS = {
  id: {
    internal: 'Terjadi kesalahan di server. Coba lagi sebentar lagi.',
    diskFull: 'Penyimpanan server penuh, jadi ini belum bisa disimpan. Coba lagi nanti atau hubungi admin.',
    notFound: 'Alamat ini tidak ditemukan.',
    badRequest: 'Permintaan tidak bisa dibaca.',
    unsupportedMediaType: 'Jenis isi permintaan ini tidak didukung.',
    payloadTooLarge: 'Isi permintaan terlalu besar.',
    rangeNotSatisfiable: 'Bagian video yang diminta tidak ada.',
    preconditionFailed: 'File ini sudah berubah sejak terakhir Anda ambil.',
    tooSlow: 'Permintaan terlalu lama sampai, jadi dihentikan. Coba lagi.',
    serverBusy: 'Server sedang sangat sibuk. Coba lagi beberapa detik lagi.',
    callsAtOnce: 'Terlalu banyak permintaan sekaligus. Tunggu yang tadi selesai, lalu coba lagi.',
    addressTooLong: 'Alamat ini terlalu panjang.',
    headersTooLarge: 'Header permintaan terlalu besar.',
  },
  en: {
    internal: 'Something went wrong on the server. Please try again in a moment.',
    diskFull: "The server's storage is full, so this could not be saved. Please try again later.",
    notFound: 'This address does not exist.',
    badRequest: 'The request could not be read.',
    unsupportedMediaType: 'This kind of request body is not supported.',
    payloadTooLarge: 'The request body is too large.',
    rangeNotSatisfiable: 'The requested part does not exist.',
    preconditionFailed: 'This file has changed since you last had it.',
    tooSlow: 'The request took too long to arrive, so it was stopped. Please try again.',
    serverBusy: 'The server is very busy. Please try again in a few seconds.',
    callsAtOnce: 'Too many requests at once. Please wait for the earlier ones, then try again.',
    addressTooLong: 'This address is too long.',
    headersTooLarge: 'The request headers are too large.',
  },
} as const
