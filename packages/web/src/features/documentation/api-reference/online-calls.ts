import type { ApiGroup } from './api-call.ts'

const SOURCE = { id: '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c14' }

export const ONLINE_CALLS: ApiGroup = {
  id: 'sumber-online',
  title: 'Sumber online dan TikTok',
  lead: 'Ruang Bigo dari akun Anda, alamat HLS (.m3u8) milik Anda, dan tujuan siaran di TikTok tanpa menyalin stream key. Alamat previewUrl bisa diputar langsung di browser dan berlaku satu jam.',
  calls: [
    {
      method: 'GET',
      path: '/fitur/bigo/live',
      what: 'Ruang semua akun Bigo Anda, yang sedang siaran maupun tidak.',
      access: 'key',
      answer:
        'data[]: streamUrl, previewUrl, nickname, isLive, siteId, account_id, state (live, offline, unknown, blocked, unreachable), message.',
    },
    {
      method: 'POST',
      path: '/fitur/online/add',
      what: 'Tambah alamat HLS sebagai sumber. Alamatnya dibuka dulu untuk diperiksa.',
      access: 'key',
      fields: [
        { name: 'name', note: 'Nama untuk Anda sendiri.' },
        { name: 'url', note: 'Alamat http:// atau https:// dari playlist-nya.' },
      ],
      answer: 'data: sumbernya.',
      example: { body: { name: 'Kamera toko', url: 'https://kamera.example/live.m3u8' } },
    },
    {
      method: 'GET',
      path: '/fitur/online',
      what: 'Sumber online Anda.',
      access: 'key',
      answer: 'data[]: id, name, url, previewUrl, createdAt.',
    },
    {
      method: 'DELETE',
      path: '/fitur/online/{id}',
      what: 'Hapus sumber online.',
      access: 'key',
      example: { places: SOURCE },
    },
    {
      method: 'POST',
      path: '/fitur/steamlabs/start',
      what: 'Mulai siaran di TikTok dan dapatkan tujuannya. Siaran di TikTok ikut diakhiri saat stream-nya berakhir.',
      access: 'key',
      fields: [
        { name: 'accountId', note: 'Akun TikTok yang terhubung.', optional: true },
        { name: 'token', note: 'Token Streamlabs, bila tanpa accountId.', optional: true },
        { name: 'title', note: 'Judul siaran; kosong berarti nama akunnya.', optional: true },
      ],
      answer: 'stream: id, rtmpSteam (isi rtmpStream di /fitur/steam/start).',
      example: { body: { accountId: '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c13', title: 'Live malam' } },
    },
  ],
}
