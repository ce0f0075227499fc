/** What versions up to 0.2.2 wrote into streams and their timelines, with the code of each. */
export const OLD_STREAM_SENTENCES: readonly (readonly [string, string])[] = [
  [
    'Platform menolak stream key, atau key itu sedang dipakai siaran lain. Salin lagi key-nya dari platform.',
    'target-refused',
  ],
  [
    'Server platform tidak bisa dihubungi. Periksa alamat dan port RTMP-nya, dan status layanan platform.',
    'target-unreachable',
  ],
  [
    'Platform memutus siaran. Periksa di platform apakah siarannya diakhiri, kena teguran, atau key-nya diganti.',
    'target-closed',
  ],
  [
    'Alamat server platform tidak ditemukan. Periksa ejaan alamat RTMP-nya, bila Anda yang mengisinya.',
    'name-not-found',
  ],
  [
    'Sambungan aman (rtmps) ke platform gagal. Periksa alamat dan port-nya, atau pakai alamat rtmp:// bila tersedia.',
    'tls-failed',
  ],
  ['File video tidak ditemukan di server. Upload lagi videonya, lalu mulai siaran lagi.', 'source-missing'],
  [
    'File video tidak bisa dibaca. Ubah dulu formatnya ke MP4 (H.264/AAC), upload lagi, lalu mulai siaran lagi.',
    'source-unreadable',
  ],
  ['Video sudah diputar sampai selesai. Nyalakan pengulangan bila siaran harus terus berjalan.', 'source-ended'],
  ['Platform tidak merespons terlalu lama. Periksa status layanan platform.', 'timed-out'],
  ['Proses siaran berhenti mendadak di server. Bila terulang, hubungi admin.', 'killed'],
  ['Siaran dihentikan.', 'stopped'],
  ['Siaran berhenti tanpa sebab yang jelas. Bila terulang, hubungi admin.', 'unknown'],
  ['Masa paket Anda sudah habis, jadi siaran dihentikan. Upgrade paket untuk menyiarkan lagi.', 'plan-ended'],
  ['Akun ini dihentikan oleh administrator, jadi siarannya ikut berhenti. Hubungi administrator.', 'suspended'],
  ['Siaran dihentikan oleh administrator. Hubungi administrator untuk keterangan.', 'operator'],
  ['Dipulihkan: siarkan lagi? Server ini dipulihkan dari cadangan, jadi siarannya belum dimulai di sini.', 'restored'],
  ['Siaran tersendat karena data tidak sampai ke platform. Sambungan sedang dicoba ulang.', 'stalled'],
  [
    'Jalur ke platform lebih lambat daripada videonya. Bila terulang, pakai video dengan bitrate lebih rendah.',
    'lagging',
  ],
  ['Alamat tujuan ini tidak boleh dipakai. Gunakan alamat RTMP milik platform.', 'target-forbidden'],
  [
    'Sumber online sedang tidak siaran atau tidak bisa dibuka. Siaran dilanjutkan sendiri begitu sumbernya kembali.',
    'source-away',
  ],
  [
    'Server sedang penuh. Coba lagi beberapa menit lagi, atau hentikan siaran lain yang tidak dipakai.',
    'out-of-capacity',
  ],
  [
    'Server platform tidak bisa dihubungi. Periksa alamat dan port RTMP-nya, atau coba lagi beberapa menit lagi.',
    'target-unreachable',
  ],
  ['Alamat server tidak ditemukan. Periksa ejaan alamat RTMP-nya.', 'name-not-found'],
  ['Platform tidak merespons terlalu lama. Coba lagi, dan periksa status layanan platform.', 'timed-out'],
  ['Proses siaran berhenti mendadak di server. Mulai lagi, dan hubungi admin bila terulang.', 'killed'],
  ['Siaran berhenti tanpa sebab yang jelas. Mulai lagi, dan hubungi admin bila terulang.', 'unknown'],
  ['Dipulihkan dari cadangan dan belum berjalan di sini. Tekan Siarkan lagi untuk memulainya.', 'restored'],
  ['Dipulihkan dari cadangan dan belum disiarkan dari sini: siarkan lagi?', 'restored'],
  ['Server dimulai ulang; siaran dilanjutkan sendiri.', 'halted'],
  ['Sesi diperbarui sebelum batas waktunya; siaran dilanjutkan sendiri.', 'session-renewed'],
]

/** What 0.2.2 wrote into videos that failed, and what such a row holds now. */
export const OLD_VIDEO_SENTENCES: readonly (readonly [string, string])[] = [
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
  ['Alamat ini menjawab 404, bukan video. Periksa alamatnya lalu coba lagi.', '{"code":"url-answered","status":404}'],
  [
    'Ruang Anda tidak cukup: tersisa 0 Bytes, file ini butuh 1.023,50 MB. Hapus video lama dulu.',
    '{"code":"no-room","leftBytes":0,"neededBytes":1073217536,"plan":null}',
  ],
  [
    'Ruang Anda tidak cukup: tersisa 512 Bytes, file ini butuh 1,50 GB. Hapus video lama dulu. Paket Free Trial punya ruang 5 GB. Upgrade ke Starter untuk ruang lebih besar.',
    '{"code":"no-room","leftBytes":512,"neededBytes":1610612736,"plan":"free-trial"}',
  ],
  [
    'File ini lebih besar dari seluruh ruang Anda: butuh 201,00 GB, ruang Anda 200,00 GB. Kecilkan dulu filenya. Paket Business punya ruang 200 GB.',
    '{"code":"over-room","roomBytes":214748364800,"neededBytes":215822106624,"plan":"business"}',
  ],
  [
    'File ini lebih besar dari seluruh ruang Anda: butuh 1,25 TB, ruang Anda 1,00 TB. Kecilkan dulu filenya.',
    '{"code":"over-room","roomBytes":1099511627776,"neededBytes":1374389534720,"plan":null}',
  ],
  [
    'Versi siap siar video ini lebih besar dari filenya dan tidak muat di ruang Anda. Hapus video lama, lalu proses ulang.',
    '{"code":"master-too-large","plan":null}',
  ],
  [
    'Versi siap siar video ini lebih besar dari filenya dan tidak muat di ruang Anda. Hapus video lama, lalu proses ulang. Paket Starter punya ruang 20 GB. Upgrade ke Creator Pro untuk ruang lebih besar.',
    '{"code":"master-too-large","plan":"starter"}',
  ],
]

/** What 0.2.2 wrote into videos that were ready all the same. */
export const OLD_WARNINGS: readonly (readonly [string, string])[] = [
  ['File ini terpotong; bagian yang masih terbaca tetap bisa disiarkan.', 'cut-short'],
  [
    'Gagal disiapkan ulang, jadi versi sebelumnya tetap dipakai. Ruang penyimpanan server hampir penuh. Coba lagi nanti atau hubungi admin.',
    '{"code":"prepare-again-failed","because":"disk-full"}',
  ],
  [
    'Gagal disiapkan ulang, jadi versi sebelumnya tetap dipakai. Versi siap siar video ini lebih besar dari filenya dan tidak muat di ruang Anda. Hapus video lama, lalu proses ulang. Paket Starter punya ruang 20 GB. Upgrade ke Creator Pro untuk ruang lebih besar.',
    '{"code":"prepare-again-failed","because":"{\\"code\\":\\"master-too-large\\",\\"plan\\":\\"starter\\"}"}',
  ],
  [
    'Gagal disiapkan ulang, jadi versi sebelumnya tetap dipakai. Alasan dari versi lama.',
    '{"code":"prepare-again-failed","because":"Alasan dari versi lama."}',
  ],
]
