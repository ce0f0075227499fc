import type { ApiGroup } from './api-call.ts'

export const STATUS_CALLS: ApiGroup = {
  id: 'aktivitas-dan-server',
  title: 'Aktivitas dan keadaan server',
  lead: 'Isi halaman Dashboard dan Riwayat / Aktivitas.',
  calls: [
    {
      method: 'GET',
      path: '/fitur/activity',
      what: 'Apa yang terjadi di akun Anda, yang terbaru lebih dulu.',
      access: 'key',
      answer: 'data[]: id, kind, text, detail, status (Berhasil, Gagal, Pending), at, device, address.',
    },
    {
      method: 'POST',
      path: '/fitur/activity',
      what: 'Catat sesuatu yang hanya diketahui halaman web: layar Live dibuka.',
      access: 'key',
      fields: [{ name: 'kind', note: 'viewed-live.' }],
      example: { body: { kind: 'viewed-live' } },
    },
    {
      method: 'GET',
      path: '/fitur/system/status',
      what: 'Keadaan mesin: CPU, memori, dan disk, sekarang dan beberapa menit terakhir.',
      access: 'session',
      answer:
        'cpu: usage. memory: total, used, usage. disk: size, used, available, usage, type, filesystem. history: everySeconds, cpu[], memory[], disk[]. Bila ada beberapa mesin, machines: total, gone; cpu lalu rata-ratanya, memory jumlahnya, dan disk yang terpenuh.',
    },
  ],
}
