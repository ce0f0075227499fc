import type { ApiGroup } from './api-call.ts'

const places = { id: '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c21' }
const RANGE =
  'Dengan ?from dan ?to (tanggal, keduanya ikut dihitung; bawaannya tujuh hari terakhir) dan ?zone (nama IANA; bawaannya Asia/Jakarta).'

export const ANALYTICS_CALLS: ApiGroup = {
  id: 'analitik',
  title: 'Analitik',
  lead: 'Jam tayang, gangguan, dan angka setiap siaran. Free Trial menampilkan 7 hari, Starter 30 hari dan CSV, Creator Pro setahun dan angka langsung, Business juga laporan bulanan.',
  calls: [
    {
      method: 'GET',
      path: '/fitur/analytics/summary',
      what: `Jam tayang per hari dan platform, persen tayang, gangguan, dan tayang terlama. ${RANGE}`,
      access: 'key',
      answer:
        'data: totals, platforms[], days[] (date, onAirSeconds, wantedSeconds, onAirPercent, incidents), incidents[] (reasonCode, reason, seconds, planned, outcome).',
    },
    {
      method: 'GET',
      path: '/fitur/analytics/broadcasts',
      what: `Daftar siaran, terbaru dulu, dengan angkanya. ${RANGE} Juga ?limit (paling banyak 100) dan ?cursor dari nextCursor halaman sebelumnya.`,
      access: 'key',
      answer:
        'data[]: broadcastId, title, platforms[], streams, startedAt, endedAt, scheduled, onAirSeconds, onAirPercent, incidents; nextCursor.',
    },
    {
      method: 'GET',
      path: '/fitur/analytics/broadcast/{id}',
      what: 'Seluruh riwayat satu siaran pada satu garis waktu: grafik, gangguan, pergantian video, dan jadwalnya.',
      access: 'key',
      answer: 'data: streams[] (runs[], incidents[], series, ended, endReason), events[], schedule, from, to.',
      example: { places },
    },
    {
      method: 'GET',
      path: '/fitur/analytics/series',
      what: 'Bitrate, frame rate, kecepatan, dan data tertunda dari ?streamId, antara ?from dan ?to (waktu ISO; bawaannya satu jam terakhir).',
      access: 'key',
      answer:
        'data: resolutionSeconds (5, 60, atau 3600, menurut panjang rentangnya), at[], bitrateKbps[], fps[], speed[], unsentKb[], onAirPercent[].',
    },
    {
      method: 'GET',
      path: '/fitur/analytics/csv',
      what: `File CSV dengan ?kind days, broadcasts, atau incidents. ${RANGE}`,
      access: 'key',
    },
    {
      method: 'GET',
      path: '/fitur/analytics/live',
      what: 'Angka siaran Anda sekarang sebagai server-sent events: now setiap lima detik, yang pertama dengan sepuluh menit terakhir.',
      access: 'key',
    },
    {
      method: 'GET',
      path: '/fitur/analytics/report',
      what: 'Angka satu bulan untuk dicetak, dengan ?month (misalnya 2026-11) dan ?zone.',
      access: 'key',
      answer: 'data: seperti summary, ditambah before (bulan sebelumnya), broadcasts[], dan reasons[].',
    },
    {
      method: 'GET',
      path: '/fitur/analytics/report-mail',
      what: 'Apakah laporan bulanan dikirim lewat email.',
      access: 'key',
      answer: 'data: on, zone, available (server ini bisa mengirim email), lastMonth.',
    },
    {
      method: 'PUT',
      path: '/fitur/analytics/report-mail',
      what: 'Nyalakan atau matikan laporan bulanan lewat email.',
      access: 'key',
      fields: [
        { name: 'on', note: 'true: dikirim setiap tanggal 1.' },
        { name: 'zone', note: 'Zona waktu (nama IANA). Bawaannya Asia/Jakarta.', optional: true },
      ],
      answer: 'data: seperti di atas.',
      example: { body: { on: true, zone: 'Asia/Jakarta' } },
    },
  ],
}
