import type { ApiField, ApiGroup } from './api-call.ts'

const BROADCAST = '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c11'
const SECOND = '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c12'

const TARGETS: ApiField = {
  name: 'targets',
  note: '1 sampai 20 tujuan: { targetId } untuk tujuan tersimpan, atau { platform, rtmpStream } seperti pada /fitur/steam/start (atau targetOf sebagai ganti rtmpStream).',
}

export const BROADCAST_CALLS: ApiGroup = {
  id: 'banyak-target',
  title: 'Siaran ke banyak tujuan',
  lead: 'Satu siaran ke beberapa tujuan sekaligus. Setiap tujuan punya stream sendiri: satu yang gagal tidak mengganggu yang lain, dan masing-masing dihitung dalam paket.',
  calls: [
    {
      method: 'POST',
      path: '/fitur/broadcast',
      what: 'Mulai siaran ke semua tujuan, atau tidak sama sekali bila tempatnya tidak cukup.',
      access: 'key',
      fields: [
        { name: 'source', note: 'Nama file salah satu video Anda, playlist:<id>, atau alamat HLS.' },
        TARGETS,
        { name: 'looping', note: 'false: putar sekali saja. Bawaannya true.', optional: true },
        { name: 'title', note: 'Judul, untuk Anda sendiri.', optional: true },
        { name: 'accountId', note: 'account_id akun Bigo, bila sumbernya ruang akun itu.', optional: true },
        {
          name: 'fallback',
          note: 'Nama file video yang diputar berulang selama sumber online terputus.',
          optional: true,
        },
        { name: 'whenReady', note: 'true: video yang masih diproses tayang sendiri begitu siap.', optional: true },
        { name: 'playlistItem', note: 'id item playlist yang diputar lebih dulu.', optional: true },
        { name: 'rendition', note: 'recipe versi video yang sudah siap; semua tujuan memakainya.', optional: true },
        { name: 'record', note: 'true: yang dikirim direkam.', optional: true },
        {
          name: 'logo',
          note: 'objek corner (tl, tr, bl, br), size, margin, opacity; hanya untuk sumber online, bila ada encoder yang luang.',
          optional: true,
        },
      ],
      answer: 'broadcastId dan streamIds[] sesuai urutan tujuan. Stream pertama memakai id siarannya.',
      example: {
        body: {
          source: 'klip.mp4',
          targets: [
            { platform: 'youtube', rtmpStream: 'abcd-efgh-ijkl-mnop' },
            { platform: 'lain', rtmpStream: 'rtmp://live.contoh.id/app/kunci' },
          ],
        },
        answer: {
          success: true,
          message: 'Siaran dimulai ke 2 tujuan.',
          broadcastId: BROADCAST,
          streamIds: [BROADCAST, SECOND],
        },
      },
    },
    {
      method: 'GET',
      path: '/fitur/broadcast',
      what: 'Siaran yang tayang atau sedang menuju ke sana, yang terbaru lebih dulu. limit (1 sampai 100, bawaannya 50) dan cursor di alamat membaginya menjadi halaman.',
      access: 'key',
      answer:
        'broadcasts[]: isi yang sama dengan satu siaran di bawah. nextCursor: cursor halaman berikutnya; null di halaman terakhir.',
    },
    {
      method: 'GET',
      path: '/fitur/broadcast/{id}',
      what: 'Satu siaran dengan stream-nya, juga setelah selesai.',
      access: 'key',
      answer:
        'broadcast: broadcastId, title, source, sourceName, online, accountId, looping, startedAt, endedAt, state (milik stream yang paling jauh), preparation, streams[]: streamId, targetId, targetName, platform, state (queued, starting, live, waiting, stopping, ended), reason, ended (stopped, finished, failed, atau null), endedAt, sourceName, nextSource, onFallback, note, startedAt, since, firstLiveAt, nextTryAt, bitrate, speed, frames, restarts, reconnects, uptime. Dari stream yang sudah selesai, 20 yang terakhir.',
      example: { places: { id: BROADCAST } },
    },
    {
      method: 'POST',
      path: '/fitur/broadcast/{id}/stop',
      what: 'Hentikan siaran di semua tujuan. Untuk satu tujuan saja, pakai DELETE di bawah atau /fitur/steam/stop.',
      access: 'key',
      example: { places: { id: BROADCAST } },
    },
    {
      method: 'POST',
      path: '/fitur/broadcast/{id}/targets',
      what: 'Tambah tujuan ke siaran yang berjalan. Stream barunya mulai kira-kira dari posisi yang lain.',
      access: 'key',
      fields: [TARGETS],
      answer: 'streamIds[].',
      example: {
        places: { id: BROADCAST },
        body: { targets: [{ platform: 'lain', rtmpStream: 'rtmp://live.contoh.id/app/kunci-dua' }] },
      },
    },
    {
      method: 'DELETE',
      path: '/fitur/broadcast/{id}/targets/{streamId}',
      what: 'Lepas satu tujuan dari siaran. Tujuan lain tetap tayang.',
      access: 'key',
      example: { places: { id: BROADCAST, streamId: SECOND } },
    },
  ],
}
