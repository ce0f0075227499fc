import type { ApiGroup } from './api-call.ts'

const CHANNEL = '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c77'
const places = { id: CHANNEL }
const CHANNEL_ANSWER = 'data: saluran seperti di GET /fitur/alert/channel.'
const UNREAD_ANSWER = 'data: unread (yang belum dibaca), newestId (notifikasi terbaru).'

const switches = { app: true, telegram: true, discord: false, push: true, email: false }
const SETTINGS = {
  kinds: Object.fromEntries(
    [
      ...['stream.failed', 'stream.offair', 'stream.back', 'stream.flapping'],
      ...['schedule.missed', 'schedule.failed', 'schedule.blocked', 'plan.ending', 'plan.ended'],
      ...['video.failed', 'room.low', 'recording.expiring'],
    ].map((kind) => [kind, switches]),
  ),
  offAirMinutes: 1,
  restartsPerHour: 5,
  quiet: { on: true, from: '22:00', to: '07:00' },
  zone: 'Asia/Jakarta',
}

export const ALERT_CALLS: ApiGroup = {
  id: 'notifikasi',
  title: 'Notifikasi',
  lead: 'Apa yang terjadi pada siaran, jadwal, video, dan paket Anda: di aplikasi, dan lewat saluran yang Anda pilih.',
  calls: [
    {
      method: 'GET',
      path: '/fitur/alert',
      what: 'Notifikasi Anda, yang terbaru dulu. Dengan ?limit (paling banyak 100), ?cursor dari nextCursor, dan ?unread=true untuk yang belum dibaca. Disimpan 90 hari, paling banyak 1.000.',
      access: 'key',
      answer:
        'data[]: id, kind, important, at, title, text, read, path (halaman yang menjelaskannya), subjectId; nextCursor; unread.',
    },
    {
      method: 'GET',
      path: '/fitur/alert/unread',
      what: 'Berapa yang belum dibaca.',
      access: 'key',
      answer: UNREAD_ANSWER,
    },
    {
      method: 'POST',
      path: '/fitur/alert/{id}/read',
      what: 'Tandai satu notifikasi sudah dibaca.',
      access: 'key',
      answer: UNREAD_ANSWER,
      example: { places: { id: '42' } },
    },
    {
      method: 'POST',
      path: '/fitur/alert/read-all',
      what: 'Tandai semuanya sudah dibaca, sampai notifikasi tertentu.',
      access: 'key',
      fields: [
        { name: 'upTo', note: 'id notifikasi terbaru yang sudah dilihat; yang datang sesudahnya tetap belum dibaca.' },
      ],
      answer: UNREAD_ANSWER,
      example: { body: { upTo: '42' } },
    },
    {
      method: 'GET',
      path: '/fitur/alert/settings',
      what: 'Apa yang diberitahukan, lewat mana, dan kapan.',
      access: 'key',
      answer: 'data: kinds, offAirMinutes, restartsPerHour, quiet, zone. saved: false kalau belum pernah disimpan.',
    },
    {
      method: 'PUT',
      path: '/fitur/alert/settings',
      what: 'Simpan seluruh pengaturannya.',
      access: 'key',
      fields: [
        {
          name: 'kinds',
          note: 'Untuk setiap jenis: app, telegram, discord, push, email, masing-masing true atau false.',
        },
        { name: 'offAirMinutes', note: 'Berapa menit terputus sebelum diberitahukan, 1 sampai 1440.' },
        { name: 'restartsPerHour', note: 'Lebih dari ini dalam satu jam diberitahukan, 1 sampai 100.' },
        { name: 'quiet', note: 'Jam tenang: on, from, to. Yang penting tetap dikirim; sisanya menunggu.' },
        { name: 'zone', note: 'Zona waktu IANA untuk jam tenang dan jam di dalam pesan.' },
      ],
      answer: 'data: seperti yang dikirim.',
      example: { body: SETTINGS },
    },
    {
      method: 'GET',
      path: '/fitur/alert/channel',
      what: 'Saluran Anda, dan saluran apa saja yang disediakan server ini.',
      access: 'key',
      answer:
        'data[]: id, kind (telegram, discord, push, email), name, hint, state (on, off, gone), stateReason, last (at, ok, answer), waiting, createdAt; offered: telegramBot, discord, push, pushPublicKey, email, emailAddress.',
    },
    {
      method: 'POST',
      path: '/fitur/alert/channel/discord',
      what: 'Kirim ke webhook Discord. Alamatnya rahasia dan tidak ditampilkan lagi.',
      access: 'key',
      fields: [
        { name: 'url', note: 'https://discord.com/api/webhooks/…' },
        { name: 'name', note: 'Nama saluran.', optional: true },
      ],
      answer: CHANNEL_ANSWER,
      example: { body: { url: 'https://discord.com/api/webhooks/1234567890/token' } },
    },
    {
      method: 'POST',
      path: '/fitur/alert/channel/telegram',
      what: 'Kode untuk menghubungkan obrolan Telegram: kirim ke bot sebagai /start KODE.',
      access: 'key',
      fields: [{ name: 'botToken', note: 'Token bot Anda sendiri. Tanpa ini: bot server.', optional: true }],
      answer: 'data: botName, code, url, expiresAt.',
      example: { body: {} },
    },
    {
      method: 'GET',
      path: '/fitur/alert/channel/telegram',
      what: 'Apakah kodenya sudah diterima.',
      access: 'key',
      answer: 'data: state (none, waiting, linked, expired), botName, expiresAt, problem.',
    },
    {
      method: 'DELETE',
      path: '/fitur/alert/channel/telegram',
      what: 'Batalkan kode Telegram.',
      access: 'key',
    },
    {
      method: 'POST',
      path: '/fitur/alert/channel/push',
      what: 'Kirim ke browser ini (web push). Yang diaktifkan di halaman kami berakhir saat browser itu keluar dari akun.',
      access: 'key',
      fields: [
        { name: 'subscription', note: 'Isi PushSubscription.toJSON() dari browser.' },
        { name: 'name', note: 'Nama saluran.', optional: true },
      ],
      answer: CHANNEL_ANSWER,
      example: {
        body: { subscription: { endpoint: 'https://push.example/abc', keys: { p256dh: 'BPk…', auth: 'q1w…' } } },
      },
    },
    {
      method: 'POST',
      path: '/fitur/alert/channel/push/remove',
      what: 'Berhenti mengirim ke sebuah browser.',
      access: 'key',
      fields: [{ name: 'endpoint', note: 'endpoint dari langganan browser itu.' }],
      example: { body: { endpoint: 'https://push.example/abc' } },
    },
    {
      method: 'POST',
      path: '/fitur/alert/channel/email',
      what: 'Kirim ke alamat email akun ini, bila sudah diverifikasi.',
      access: 'key',
      answer: CHANNEL_ANSWER,
    },
    {
      method: 'PATCH',
      path: '/fitur/alert/channel/{id}',
      what: 'Ganti nama saluran, nyalakan, atau matikan.',
      access: 'key',
      fields: [
        { name: 'name', note: 'Nama saluran.', optional: true },
        { name: 'on', note: 'true: nyala; false: mati, dan yang menunggu tidak dikirim lagi.', optional: true },
      ],
      answer: CHANNEL_ANSWER,
      example: { places, body: { on: false } },
    },
    {
      method: 'DELETE',
      path: '/fitur/alert/channel/{id}',
      what: 'Hapus saluran.',
      access: 'key',
      example: { places },
    },
    {
      method: 'POST',
      path: '/fitur/alert/channel/{id}/test',
      what: 'Kirim pesan uji coba. Dijawab paling lama dalam 15 detik.',
      access: 'key',
      answer: 'data: outcome (sent, later, gone, refused), answer (jawaban dari sana), channel.',
      example: { places },
    },
  ],
}
