import type { ApiGroup } from './api-call.ts'

const RECORDING =
  'recordingId, broadcastId, title, sourceName, online, state (recording, ready), startedAt, endedAt, seconds, size (byte), interruptions, endedWhy, keptUntil, hasPicture'

export const RECORDING_CALLS: ApiGroup = {
  id: 'rekaman',
  title: 'Rekaman',
  lead: 'Yang sudah dikirim bisa dilihat dan diunduh. Minta dengan record: true saat memulai siaran. Loop dan playlist tidak memakan ruang; sumber online memakannya. Satu rekaman paling lama 12 jam, lalu yang berikutnya dimulai sendiri.',
  calls: [
    {
      method: 'GET',
      path: '/fitur/recording',
      what: 'Rekaman Anda, terbaru dulu. Query: limit (1 sampai 100), cursor, broadcastId.',
      access: 'key',
      answer: `recordings: ${RECORDING}; nextCursor (null: halaman terakhir)`,
    },
    {
      method: 'GET',
      path: '/fitur/recording/{id}',
      what: 'Satu rekaman, dengan bagian-bagiannya. Di antara dua bagian siaran sedang terputus.',
      access: 'key',
      answer: `recording: ${RECORDING}, parts (at, from, seconds, interruption)`,
    },
    {
      method: 'DELETE',
      path: '/fitur/recording/{id}',
      what: 'Hapus rekaman. Ditolak selama siarannya masih direkam.',
      access: 'key',
    },
    {
      method: 'GET',
      path: '/fitur/recording/{id}/file',
      what: 'Unduh seluruhnya, atau satu bagian dengan query from dan to (detik). MP4, atau MPEG-TS bila video-videonya tidak sejenis. Unduhan yang terputus bisa dilanjutkan dengan Range dan If-Range.',
      access: 'key',
    },
    {
      method: 'POST',
      path: '/fitur/recording/{id}/video',
      what: 'Jadikan video di pustaka, seluruhnya atau satu bagian.',
      access: 'key',
      fields: [
        { name: 'from', note: 'Detik awal. Kosong: dari awal.', optional: true },
        { name: 'to', note: 'Detik akhir. Kosong: sampai akhir.', optional: true },
        { name: 'filename', note: 'Nama videonya. Kosong: judul dan tanggal.', optional: true },
      ],
      answer: 'video, masih disiapkan (status processing)',
      example: { body: { from: 60, to: 660, filename: 'kajian-subuh.mp4' } },
    },
    {
      method: 'GET',
      path: '/fitur/recording/{id}/index.m3u8',
      what: 'Rekaman sebagai HLS, untuk pemutar. Selama masih direkam, daftarnya bertambah.',
      access: 'key',
    },
    {
      method: 'GET',
      path: '/fitur/recording/{id}/segment/{segment}',
      what: 'Satu potongan dari daftar HLS itu.',
      access: 'key',
    },
    { method: 'GET', path: '/fitur/recording/{id}/picture', what: 'Gambar rekaman, JPEG.', access: 'key' },
  ],
}
