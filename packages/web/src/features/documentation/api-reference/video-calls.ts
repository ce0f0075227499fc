import type { ApiGroup } from './api-call.ts'

const NAME = { filename: 'klip.mp4' }

export const VIDEO_CALLS: ApiGroup = {
  id: 'video',
  title: 'Video',
  lead: 'Sebuah video dikenal lewat nama filenya. Nama yang sudah dipakai diberi nomor: klip (1).mp4.',
  calls: [
    {
      method: 'GET',
      path: '/fitur/video',
      what: 'Video Anda, yang terbaru lebih dulu, 100 setiap halaman, dan ruang yang terpakai. Query: limit? (paling banyak 100), cursor? (nextCursor dari halaman sebelumnya).',
      access: 'key',
      answer:
        'data[]: filename, size, duration, createdAt, status (processing, ready, failed), step, progress, secondsLeft, queue (menunggu giliran disiapkan: ahead video di depan, seconds kira-kira sampai siap; null bila tidak menunggu), reason, warning, width, height, fps, bitrate (kbps, rata-rata file yang disiarkan), videoCodec, audioCodec, hasThumbnail, canImprove, reducedFrom, tooLarge, renditions[] (versi lain: recipe, look, state (waiting, preparing, ready, failed), progress, secondsLeft, queue, reason, size, bitrate). storage: used, limit. nextCursor: null bila tidak ada lagi.',
      example: {
        answer: {
          success: true,
          message: '1 video',
          data: [
            {
              filename: 'klip.mp4',
              size: 48211046,
              duration: 92.4,
              createdAt: '2026-11-15T12:30:00.000Z',
              status: 'ready',
            },
          ],
          storage: { used: 48211046, limit: 21474836480 },
          nextCursor: null,
        },
      },
    },
    {
      method: 'POST',
      path: '/fitur/video/upload',
      what: 'Upload satu file sebagai form multipart, field video. Ukurannya tidak dibatasi.',
      access: 'key',
      answer: 'data: videonya, dengan status processing sampai siap.',
      example: { file: ['video', 'klip.mp4'] },
    },
    {
      method: 'POST',
      path: '/fitur/video/import',
      what: 'Server mengambil video dari sebuah alamat http atau https.',
      access: 'key',
      fields: [{ name: 'url', note: 'Alamat langsung ke file videonya.' }],
      answer: 'data: videonya, dengan status processing sampai siap.',
      example: { body: { url: 'https://contoh.com/klip.mp4' } },
    },
    {
      method: 'GET',
      path: '/fitur/video/{filename}',
      what: 'Videonya sendiri. Bisa diminta per bagian (header Range).',
      access: 'key',
      example: { places: NAME, flags: ['-o klip.mp4'] },
    },
    {
      method: 'GET',
      path: '/fitur/video/{filename}/thumbnail',
      what: 'Satu gambar dari video, sebagai JPEG.',
      access: 'key',
      example: { places: NAME, flags: ['-o klip.jpg'] },
    },
    {
      method: 'POST',
      path: '/fitur/video/ticket',
      what: 'Tiket untuk alamat video, gambarnya, dan /fitur/steam/live: pasang sebagai ?ticket=… di tempat yang tidak bisa mengirim header, supaya API key tidak ikut di alamat.',
      access: 'key',
      answer: 'data: ticket, expiresAt (12 jam lebih; berakhir juga bila API key atau sesinya berakhir).',
    },
    {
      method: 'POST',
      path: '/fitur/video/retry/{filename}',
      what: 'Siapkan lagi video yang gagal, atau yang bisa lebih baik (canImprove) atau terlalu besar (tooLarge) untuk paket Anda. Selama masih tayang, jawabannya 409.',
      access: 'key',
      example: { places: NAME },
    },
    {
      method: 'POST',
      path: '/fitur/video/rendition/{filename}',
      what: 'Buat versi lain dari video di sampingnya: dengan ukuran, fps, dan bitrate tertentu, atau yang cocok untuk satu platform. Siaran ke platform itu lalu memakainya. Yang sudah ada tidak dibuat dua kali.',
      access: 'key',
      fields: [
        { name: 'recipe', note: 'Misalnya 1280x720@30:2800 (ukuran, fps, kbps). Isi ini atau preset.', optional: true },
        { name: 'preset', note: 'Platform yang dituju, misalnya twitch.', optional: true },
        {
          name: 'look',
          note: 'Brand di atas gambarnya: logo (corner, size, margin, opacity), lowerThird (align, size, margin, opacity), frame (shape 9:16, fit blur, bars, atau crop, colour, focus). Boleh tanpa recipe dan preset.',
          optional: true,
        },
      ],
      answer: 'rendition: recipe, look, state, progress, secondsLeft, queue, reason, size, bitrate.',
      example: { places: NAME, body: { preset: 'twitch' } },
    },
    {
      method: 'DELETE',
      path: '/fitur/video/rendition/{filename}',
      what: 'Hapus satu versi (?recipe=…), atau batalkan yang masih disiapkan. Selama videonya tayang, jawabannya 409.',
      access: 'key',
      example: { places: NAME },
    },
    {
      method: 'DELETE',
      path: '/fitur/video/delete/{filename}',
      what: 'Hapus video. Selama masih tayang, jawabannya 409.',
      access: 'key',
      example: { places: NAME },
    },
  ],
}
