import type { ApiCall, ApiField, ApiGroup } from './api-call.ts'

const ONE = { id: '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c21' }

const OPTIONAL_FIELDS: readonly ApiField[] = [
  { name: 'preset', optional: true, note: 'Id preset platformnya, kalau dibuat dari daftar.' },
  {
    name: 'address',
    optional: true,
    note: 'Alamat server RTMP, atau alamat lengkap beserta key-nya. Kosong: alamat platformnya sendiri (YouTube, Facebook).',
  },
  { name: 'key', optional: true, note: 'Stream key. Boleh kosong kalau address sudah lengkap.' },
]

const ANSWER =
  'id, name, platform, preset, address (tanpa bagian rahasia di belakang app: … menggantikannya), keyHint (ujung key-nya), createdAt, lastUsedAt, check (at, outcome, message; null: belum diuji).'

const calls: readonly ApiCall[] = [
  {
    method: 'GET',
    path: '/fitur/target',
    what: 'Tujuan Anda, urut nama. Di query: limit (1 sampai 100, biasanya 50) dan cursor (nextCursor dari halaman sebelumnya).',
    access: 'key',
    answer: `data[]: ${ANSWER} nextCursor: null kalau habis.`,
  },
  {
    method: 'POST',
    path: '/fitur/target',
    what: 'Simpan tujuan. Alamat dan bentuk key-nya diperiksa dulu. Paling banyak 50.',
    access: 'key',
    fields: [
      { name: 'name', note: 'Nama untuk Anda sendiri, belum dipakai tujuan lain.' },
      { name: 'platform', note: 'facebook, tiktok, youtube, atau lain.' },
      ...OPTIONAL_FIELDS,
    ],
    answer: 'data: tujuannya.',
    example: { body: { name: 'Kanal utama', platform: 'youtube', key: 'abcd-efgh-ijkl-mnop' } },
  },
  {
    method: 'GET',
    path: '/fitur/target/{id}',
    what: 'Satu tujuan.',
    access: 'key',
    answer: `data: ${ANSWER}`,
    example: { places: ONE },
  },
  {
    method: 'PATCH',
    path: '/fitur/target/{id}',
    what: 'Ubah tujuan. Yang tidak dikirim tetap seperti semula. Kalau servernya berganti, kirim lagi key-nya.',
    access: 'key',
    fields: [
      { name: 'name', optional: true, note: 'Nama baru.' },
      { name: 'platform', optional: true, note: 'facebook, tiktok, youtube, atau lain.' },
      ...OPTIONAL_FIELDS,
    ],
    answer: 'data: tujuannya; usedOnAir: true bila ada siaran yang sedang tayang ke sana, yang tetap memakai key lama.',
    example: { places: ONE, body: { key: 'qrst-uvwx-yzab-cdef' } },
  },
  {
    method: 'DELETE',
    path: '/fitur/target/{id}',
    what: 'Hapus tujuan. Siaran yang sedang berjalan ke sana tetap tayang.',
    access: 'key',
    example: { places: ONE },
  },
  {
    method: 'POST',
    path: '/fitur/target/{id}/test',
    what: 'Uji tujuan: kirim gambar uji sekitar 4 detik, lalu berhenti. Dijawab paling lama dalam 20 detik, satu uji dalam satu waktu.',
    access: 'key',
    answer: 'data: at, outcome (taken, refused, unreachable, broke-off, failed), message.',
    example: { places: ONE },
  },
]

export const TARGET_CALLS: ApiGroup = {
  id: 'tujuan',
  title: 'Tujuan siaran',
  lead: 'Tujuan yang disimpan dengan nama. Stream key disimpan terenkripsi dan tidak pernah dikembalikan: jawabannya hanya menunjukkan ujungnya.',
  calls,
}
