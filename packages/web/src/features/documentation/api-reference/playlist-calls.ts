import type { ApiField, ApiGroup } from './api-call.ts'

const LIST = '0198c1f2-9a10-7000-8d22-5b1f7c3e4a90'
const ITEM = '0198c1f3-0b77-7000-9c41-6e2a8d5f1b03'
const STREAM = '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c11'

const VERSION: ApiField = {
  name: 'version',
  note: 'Versi yang terakhir Anda baca: bila playlist sudah diubah di tempat lain, jawabannya 409.',
  optional: true,
}

export const PLAYLIST_CALLS: ApiGroup = {
  id: 'playlist',
  title: 'Playlist',
  lead: 'Beberapa video yang diputar berurutan atau diacak. Siarkan dengan source "playlist:<id>". Perubahan berlaku di pergantian item berikutnya.',
  calls: [
    {
      method: 'GET',
      path: '/fitur/playlist',
      what: 'Playlist Anda, yang terbaru lebih dulu. ?limit (1 sampai 100) dan ?cursor untuk halaman berikutnya.',
      access: 'key',
      answer: 'playlists[]: id, name, shuffle, count, duration (detik), createdAt, updatedAt, version; nextCursor.',
    },
    {
      method: 'POST',
      path: '/fitur/playlist',
      what: 'Buat playlist.',
      access: 'key',
      fields: [
        { name: 'name', note: 'Nama playlist.' },
        { name: 'shuffle', note: 'true: diacak lagi di setiap putaran.', optional: true },
        { name: 'videos', note: 'Nama file video, paling banyak 500; satu video boleh berulang.', optional: true },
      ],
      answer:
        'playlist, dengan recipe, alike, dan items[]: id, index, filename, duration, status, fits, rendition (sejauh mana formatnya disamakan).',
      example: { body: { name: 'Musik malam', videos: ['satu.mp4', 'dua.mp4'] } },
    },
    {
      method: 'GET',
      path: '/fitur/playlist/{id}',
      what: 'Satu playlist dan isinya. fits false: item itu tidak sama dengan yang lain, jadi siaran menyambung ulang sebentar di situ; null: belum diketahui.',
      access: 'key',
      answer: 'playlist.',
      example: { places: { id: LIST } },
    },
    {
      method: 'PATCH',
      path: '/fitur/playlist/{id}',
      what: 'Ubah nama atau pilihan acak.',
      access: 'key',
      fields: [
        { name: 'name', note: 'Nama baru.', optional: true },
        { name: 'shuffle', note: 'Acak atau berurutan.', optional: true },
        VERSION,
      ],
      answer: 'playlist.',
      example: { places: { id: LIST }, body: { shuffle: true } },
    },
    {
      method: 'POST',
      path: '/fitur/playlist/{id}/alike',
      what: 'Samakan format semua video di playlist, supaya menyambung tanpa jeda. Yang sudah cocok tidak dibuat ulang. alike pada playlist menunjukkan berapa yang kurang (missing), ruang dan waktunya (bytes, seconds), dan kemajuannya (underWay, progress, failed).',
      access: 'key',
      answer: 'playlist.',
      example: { places: { id: LIST } },
    },
    {
      method: 'DELETE',
      path: '/fitur/playlist/{id}',
      what: 'Hapus playlist. Yang sedang tayang tidak bisa dihapus (409).',
      access: 'key',
      example: { places: { id: LIST } },
    },
    {
      method: 'POST',
      path: '/fitur/playlist/{id}/items',
      what: 'Tambahkan video.',
      access: 'key',
      fields: [
        { name: 'videos', note: 'Nama file video.' },
        { name: 'index', note: 'Disisipkan sebelum item ini; tanpa index di akhir.', optional: true },
        VERSION,
      ],
      answer: 'playlist.',
      example: { places: { id: LIST }, body: { videos: ['tiga.mp4'] } },
    },
    {
      method: 'PATCH',
      path: '/fitur/playlist/{id}/items/{itemId}',
      what: 'Pindahkan item.',
      access: 'key',
      fields: [{ name: 'index', note: 'Urutan barunya, mulai dari 0.' }, VERSION],
      answer: 'playlist.',
      example: { places: { id: LIST, itemId: ITEM }, body: { index: 0 } },
    },
    {
      method: 'DELETE',
      path: '/fitur/playlist/{id}/items/{itemId}',
      what: 'Keluarkan item. Yang sedang diputar tetap diputar sampai selesai.',
      access: 'key',
      answer: 'playlist.',
      example: { places: { id: LIST, itemId: ITEM } },
    },
    {
      method: 'POST',
      path: '/fitur/steam/skip',
      what: 'Lewati item berikutnya pada siaran yang memutar playlist. Yang sedang diputar tetap sampai selesai.',
      access: 'key',
      fields: [{ name: 'streamId', note: 'Siaran yang dimaksud.' }],
      example: { body: { streamId: STREAM } },
    },
  ],
}
