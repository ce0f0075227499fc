import type { ApiField, ApiGroup } from './api-call.ts'

const SCHEDULE = '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c21'
const places = { id: SCHEDULE }

const RULE = {
  repeat: { kind: 'weekdays', days: [1, 3, 5] },
  windows: [{ start: '08:00', end: '12:00' }],
  zone: 'Asia/Jakarta',
}

const RULE_NOTE =
  'Kapan: repeat (kind once dengan date, daily, atau weekdays dengan days 1 Senin sampai 7 Minggu), windows[] (start, lalu end atau minutes; tanpa keduanya siaran tayang sampai dihentikan; end yang tidak lewat dari start berarti esok harinya), firstDay, lastDay, exceptions[] (tanggal yang dilewati), zone (nama IANA; bawaannya Asia/Jakarta).'
const END_AT_PASS: ApiField = {
  name: 'endAtPass',
  note: 'true: berakhir di akhir putaran video. Bawaannya false: tepat pada detiknya.',
  optional: true,
}

export const SCHEDULE_CALLS: ApiGroup = {
  id: 'jadwal',
  title: 'Jadwal',
  lead: 'Siaran yang mulai dan berakhir sendiri. Jamnya mengikuti zona waktu jadwal. Creator Pro bisa menjadwalkan sekali atau setiap hari; Business semuanya.',
  calls: [
    {
      method: 'POST',
      path: '/fitur/schedule',
      what: 'Jadwalkan siaran. Video dan tujuannya diperiksa sekarang, dan sekali lagi setiap kali mulai.',
      access: 'key',
      fields: [
        { name: 'title', note: 'Nama jadwal. Bawaannya judul siaran atau nama videonya.', optional: true },
        { name: 'rule', note: RULE_NOTE },
        END_AT_PASS,
        {
          name: 'broadcast',
          note: 'Isi yang sama seperti untuk POST /fitur/steam/start, atau untuk POST /fitur/broadcast dengan targets[] bila tujuannya beberapa.',
        },
      ],
      answer:
        'data: id, title, rule, endAtPass, broadcast (tanpa stream key; targets[]: targetId, name, platform, deleted), paused, nextAt (null: tidak akan mulai lagi), createdAt.',
      example: {
        body: {
          rule: RULE,
          broadcast: { source: 'klip.mp4', platform: 'youtube', rtmpStream: 'abcd-efgh-ijkl-mnop' },
        },
      },
    },
    {
      method: 'GET',
      path: '/fitur/schedule',
      what: 'Jadwal Anda, yang terbaru dulu. Dengan ?limit (paling banyak 100) dan ?cursor dari nextCursor halaman sebelumnya.',
      access: 'key',
      answer: 'data[]: seperti di atas; nextCursor (null: halaman terakhir).',
    },
    {
      method: 'GET',
      path: '/fitur/schedule/upcoming',
      what: 'Yang akan tayang menurut semua jadwal, dan yang sudah lewat, antara ?from dan ?to (waktu ISO). Bawaannya 8 hari dari sekarang, paling jauh 45 hari.',
      access: 'key',
      answer:
        'data[]: scheduleId, title, platform, targets[], date, dueAt, endsAt, state (due, starting, started, ended, missed, failed, skipped), reasonCode, reason (mengapa belum mulai atau belum tayang), warningCode, warning (sejak sejam sebelumnya: mengapa tidak akan bisa mulai), streamId, startedAt, lateMinutes (berapa menit terlambat mulai; null bila tepat waktu atau belum mulai); more: true bila tidak semuanya muat.',
    },
    {
      method: 'GET',
      path: '/fitur/schedule/{id}',
      what: 'Satu jadwal.',
      access: 'key',
      answer: 'data: seperti di atas.',
      example: { places },
    },
    {
      method: 'PATCH',
      path: '/fitur/schedule/{id}',
      what: 'Ubah jadwal; yang tidak disebut tetap. Siaran yang sedang tayang berakhir menurut waktu yang baru.',
      access: 'key',
      fields: [
        { name: 'title', note: 'Nama jadwal.', optional: true },
        { name: 'rule', note: 'Menggantikan seluruh aturannya.', optional: true },
        END_AT_PASS,
        {
          name: 'broadcast',
          note: 'Menggantikan isi siarannya. Tanpa tujuan, tujuan yang sekarang tetap; tujuan tanpa rtmpStream memakai lagi key yang tersimpan.',
          optional: true,
        },
        {
          name: 'version',
          note: 'Versi yang terakhir dibaca. Kalau jadwalnya sudah diubah di tempat lain, jawabannya 409 dan tidak ada yang disimpan.',
          optional: true,
        },
      ],
      answer: 'data: seperti di atas.',
      example: { places, body: { title: 'Siaran pagi' } },
    },
    {
      method: 'DELETE',
      path: '/fitur/schedule/{id}',
      what: 'Hapus jadwal. Siaran yang sedang tayang tetap berakhir pada waktunya.',
      access: 'key',
      example: { places },
    },
    {
      method: 'POST',
      path: '/fitur/schedule/{id}/skip',
      what: 'Lewati satu tanggal, atau tidak jadi melewatinya.',
      access: 'key',
      fields: [
        { name: 'date', note: 'Tanggal di zona waktu jadwal, seperti 2026-11-16.' },
        { name: 'skip', note: 'false: tidak jadi dilewati. Bawaannya true.', optional: true },
      ],
      answer: 'data: seperti di atas.',
      example: { places, body: { date: '2026-12-25' } },
    },
    {
      method: 'POST',
      path: '/fitur/schedule/{id}/pause',
      what: 'Jeda jadwal: tidak ada yang mulai sampai dilanjutkan.',
      access: 'key',
      answer: 'data: seperti di atas.',
      example: { places },
    },
    {
      method: 'POST',
      path: '/fitur/schedule/{id}/resume',
      what: 'Lanjutkan jadwal yang dijeda, mulai dari waktu berikutnya.',
      access: 'key',
      answer: 'data: seperti di atas.',
      example: { places },
    },
  ],
}
