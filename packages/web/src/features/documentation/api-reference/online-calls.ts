import type { ApiGroup } from './api-call.ts'

export const ONLINE_CALLS: ApiGroup = {
  id: 'sumber-online',
  title: 'Sumber online dan TikTok',
  lead: 'Ruang Bigo dan alamat HLS yang bisa disiarkan ulang, dan tujuan di TikTok. previewUrl memutar sumber lewat server ini dan berlaku sekitar satu jam.',
  calls: [
    {
      method: 'GET',
      path: '/fitur/bigo/live',
      what: 'Ruang dari semua akun Bigo Anda. Satu akun yang gagal tidak menyembunyikan yang lain.',
      access: 'key',
      answer:
        'data[]: streamUrl, previewUrl, nickname, isLive, siteId, account_id, state (live, offline, unknown, blocked, unreachable), message.',
    },
    {
      method: 'POST',
      path: '/fitur/online/add',
      what: 'Simpan alamat HLS sebagai sumber. Alamatnya dibuka dulu; yang bukan playlist ditolak.',
      access: 'key',
      fields: [
        { name: 'name', note: 'Nama untuk Anda sendiri.' },
        { name: 'url', note: 'Alamat http(s):// ke playlist-nya, tanpa username dan password.' },
      ],
      answer: 'data: id, name, url, previewUrl, createdAt.',
      example: { body: { name: 'Kamera pantai', url: 'https://contoh.com/live.m3u8' } },
    },
    {
      method: 'GET',
      path: '/fitur/online',
      what: 'Alamat HLS yang Anda simpan.',
      access: 'key',
      answer: 'data[]: id, name, url, previewUrl, createdAt.',
    },
    {
      method: 'DELETE',
      path: '/fitur/online/{id}',
      what: 'Hapus alamat HLS. Siaran yang sedang memakainya tetap berjalan.',
      access: 'key',
      example: { places: { id: '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c14' } },
    },
    {
      method: 'POST',
      path: '/fitur/steamlabs/start',
      what: 'Mulai siaran di TikTok dan minta alamatnya, untuk rtmpStream saat mulai siaran. Siaran di TikTok diakhiri bersama siaran Anda; yang tidak dipakai, setelah sepuluh menit.',
      access: 'key',
      fields: [
        { name: 'accountId', note: 'account_id akun TikTok Anda.', optional: true },
        { name: 'token', note: 'Atau token Streamlabs-nya langsung.', optional: true },
        { name: 'title', note: 'Judul di TikTok.', optional: true },
      ],
      answer: 'stream: id, rtmpSteam (alamat RTMP lengkap).',
      example: { body: { accountId: '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c13', title: 'Diskon malam' } },
    },
  ],
}
