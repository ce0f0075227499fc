import type { ApiGroup } from './api-call.ts'

const STREAM = '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c11'

export const STREAM_CALLS: ApiGroup = {
  id: 'siaran',
  title: 'Siaran',
  lead: 'Mulai mengembalikan streamId; semua panggilan berikutnya memakainya.',
  calls: [
    {
      method: 'POST',
      path: '/fitur/steam/start',
      what: 'Mulai siaran. Video yang masih diproses ditolak dengan 409, kecuali dengan whenReady.',
      access: 'key',
      fields: [
        { name: 'source', note: 'Nama file salah satu video Anda, playlist:<id>, atau alamat HLS.' },
        { name: 'platform', note: 'facebook, tiktok, youtube, atau lain.' },
        { name: 'rtmpStream', note: 'Stream key; untuk tiktok dan lain alamat rtmp(s):// lengkap.' },
        {
          name: 'targetOf',
          note: 'streamId salah satu siaran Anda, juga yang sudah selesai: tanpa rtmpStream, kuncinya dipakai lagi.',
          optional: true,
        },
        { name: 'looping', note: 'false: putar sekali saja. Bawaannya true.', optional: true },
        { name: 'title', note: 'Judul, untuk Anda sendiri.', optional: true },
        { name: 'accountId', note: 'account_id akun Bigo, bila sumbernya ruang akun itu.', optional: true },
        {
          name: 'fallback',
          note: 'Nama file video yang diputar berulang selama sumber online terputus.',
          optional: true,
        },
        {
          name: 'whenReady',
          note: 'true: video yang masih diproses tayang sendiri begitu siap. Siarannya langsung masuk daftar aktif dan bisa dihentikan.',
          optional: true,
        },
        { name: 'playlistItem', note: 'id item playlist yang diputar lebih dulu.', optional: true },
        { name: 'rendition', note: 'recipe versi video yang sudah siap; semua tujuan memakainya.', optional: true },
        { name: 'record', note: 'true: yang dikirim direkam.', optional: true },
        {
          name: 'logo',
          note: 'objek corner (tl, tr, bl, br), size, margin, opacity; hanya untuk sumber online, bila ada encoder yang luang.',
          optional: true,
        },
      ],
      answer: 'streamId.',
      example: {
        body: { source: 'klip.mp4', platform: 'youtube', rtmpStream: 'abcd-efgh-ijkl-mnop', looping: true },
        answer: { success: true, message: 'Live stream berhasil dimulai!', streamId: STREAM },
      },
    },
    {
      method: 'GET',
      path: '/fitur/steam/active',
      what: 'Siaran yang tayang atau sedang menuju ke sana.',
      access: 'key',
      answer:
        'streams[]: streamId, broadcastId (sama untuk semua stream dari satu siaran), targetId dan targetName (null: diketik), platform, source, sourceName, online, accountId, fallback, onFallback, note, nextSource, playlist (id, name, shuffle, itemId, filename, index, count, round, roundIndex, positionMs, durationMs, roundPositionMs, roundDurationMs, next; tanpa playlist null), startedAt, title, state (queued, starting, live, waiting, stopping), preparation (menunggu videonya siap: step, progress, secondsLeft, queue; selain itu null), reason, since (tayang tanpa putus), firstLiveAt (pertama kali tayang), nextTryAt, bitrate (kbps), speed, frames, restarts (percobaan setelah yang pertama), reconnects (berapa kali tayang lagi), uptime (detik).',
      example: {
        answer: {
          success: true,
          message: 'Ditemukan 1 stream aktif.',
          streams: [
            {
              streamId: STREAM,
              platform: 'youtube',
              source: 'klip.mp4',
              startedAt: '2026-11-15T12:31:00.000Z',
              state: 'live',
              bitrate: 4480,
              restarts: 0,
              uptime: 3600,
            },
          ],
        },
      },
    },
    {
      method: 'GET',
      path: '/fitur/steam/live',
      what: 'Isi yang sama sebagai server-sent events: kejadian streams setiap kali ada yang berubah.',
      access: 'key',
      example: { flags: ['-N'] },
    },
    {
      method: 'POST',
      path: '/fitur/steam/swap',
      what: 'Ganti video yang tayang. Video baru masuk saat putaran yang sekarang selesai. Untuk membatalkan pergantian yang masih menunggu, kirim video yang sedang diputar. Siaran dari sumber online tidak bisa diganti (409).',
      access: 'key',
      fields: [
        { name: 'streamId', note: 'Siaran yang dimaksud.' },
        { name: 'source', note: 'Nama file video penggantinya.' },
      ],
      example: { body: { streamId: STREAM, source: 'malam.mp4' } },
    },
    {
      method: 'POST',
      path: '/fitur/steam/stop',
      what: 'Hentikan siaran.',
      access: 'key',
      fields: [{ name: 'streamId', note: 'Siaran yang dimaksud.' }],
      example: { body: { streamId: STREAM } },
    },
    {
      method: 'GET',
      path: '/fitur/steam/history',
      what: 'Siaran yang sudah selesai: mengapa, berapa lama, dan berapa persen waktunya tayang.',
      access: 'key',
      answer:
        'streams[]: streamId, broadcastId, targetId, targetName, platform, source, sourceName, accountId, fallback, title, startedAt, endedAt, ended (stopped, finished, failed), reason, restored, restarts, onAirSeconds, onAirPercent.',
    },
    {
      method: 'GET',
      path: '/fitur/steam/{streamId}/events',
      what: 'Apa saja yang terjadi pada satu siaran, yang terbaru lebih dulu.',
      access: 'key',
      answer:
        'events[]: at, kind (asked, live, lost, back, swapped, renewed, fallback, source-back, passed-over, stop-asked, ended), reason, offAirSeconds. passed-over: item playlist yang belum bisa diputar dilewati; reason menyebut video dan sebabnya.',
      example: { places: { streamId: STREAM } },
    },
    {
      method: 'GET',
      path: '/fitur/steam/{streamId}/preview',
      what: 'Di mana browser bisa memutar sumber online siaran ini.',
      access: 'key',
      answer: 'previewUrl; null selama sumbernya tidak mengirim apa-apa.',
      example: { places: { streamId: STREAM } },
    },
  ],
}
