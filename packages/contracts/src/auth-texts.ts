export const SECOND_FACTOR_TEXTS = {
  needed: 'Masukkan kode 6 angka dari aplikasi autentikator Anda.',
  required: 'Masukkan kode 6 angka dari aplikasi, atau salah satu kode pemulihan.',
  wrong: 'Kode ini salah atau sudah dipakai. Tunggu kode berikutnya di aplikasi, lalu coba lagi.',
  challengeEnded: 'Waktu untuk memasukkan kode sudah habis. Silakan login lagi.',
  on: 'Verifikasi dua langkah aktif.',
  notOn: 'Verifikasi dua langkah belum aktif.',
  alreadyOn: 'Verifikasi dua langkah sudah aktif. Matikan dulu untuk memasang yang baru.',
  notBegun: 'Mulai pasang verifikasi dua langkah dulu, lalu masukkan kodenya.',
  proposed: 'Pindai kode QR ini dengan aplikasi autentikator, lalu masukkan kodenya.',
  turnedOn: 'Verifikasi dua langkah aktif, dan perangkat lain dikeluarkan. Simpan kode pemulihan Anda.',
  codesRenewed: 'Kode pemulihan baru sudah dibuat. Yang lama tidak berlaku lagi.',
  turnedOff: 'Verifikasi dua langkah dimatikan.',
} as const

export const RECOVERY_TEXTS = {
  asked: 'Kalau alamat itu punya akun, tautan untuk membuat password baru sudah kami kirim. Periksa juga folder spam.',
  noMail: 'Server ini tidak mengirim email. Hubungi administrator untuk mendapat password baru.',
  reset: 'Password baru Anda sudah berlaku. Semua perangkat dikeluarkan, dan API key Anda ikut diganti.',
  verified: 'Alamat email Anda sudah dipastikan.',
  sentAgain: 'Email dengan tautan sudah kami kirim. Periksa juga folder spam.',
  linkEnded: 'Tautan ini sudah dipakai atau tidak berlaku lagi. Minta tautan baru.',
  tooMany: (seconds: number): string =>
    `Terlalu sering dicoba. Tunggu ${seconds < 60 ? `${seconds} detik` : `${Math.ceil(seconds / 60)} menit`}, lalu coba lagi.`,
} as const
