import type { ApiCall, ApiField, ApiGroup } from './api-call.ts'

const ONE = { id: '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c21' }
const DELIVERY = { ...ONE, deliveryId: 'msg_mhz3k2v1a00017d2f9c4b6e8a1035' }

const ANSWER =
  'id, url, description, events, state (active, paused, disabled), stateReason (plan, gone, failing), notice, warning, createdAt, oldSecretUntil, waiting, lastDeliveredAt, failingSince, dropped.'
const SUMMARY =
  'id (webhook-id), event, about (judul siaran atau nama video), state (waiting, delivered, failed), createdAt, resentAt (terakhir dikirim ulang), tries, lastTryAt, nextTryAt, status, resultCode, result, durationMs'

const FIELDS: readonly ApiField[] = [
  { name: 'url', note: 'Alamat program Anda, sebaiknya https. Alamat jaringan pribadi ditolak.' },
  { name: 'description', optional: true, note: 'Catatan untuk Anda sendiri, paling panjang 200 karakter.' },
  { name: 'events', note: 'Kejadian yang dikirim, misalnya ["stream.live", "stream.ended"].' },
]

const endpointCalls: readonly ApiCall[] = [
  {
    method: 'GET',
    path: '/fitur/webhook',
    what: 'Webhook Anda, yang terlama dulu.',
    access: 'key',
    answer: `data[]: ${ANSWER} allowed: berapa yang dimiliki paket Anda.`,
  },
  {
    method: 'POST',
    path: '/fitur/webhook',
    what: 'Buat webhook. Signing secret-nya (whsec_…) dijawab sekali ini saja.',
    access: 'key',
    fields: FIELDS,
    answer: 'data: webhook-nya. secret: signing secret.',
    example: { body: { url: 'https://contoh.com/siarin', events: ['stream.live', 'stream.interrupted'] } },
  },
  {
    method: 'GET',
    path: '/fitur/webhook/{id}',
    what: 'Satu webhook.',
    access: 'key',
    answer: `data: ${ANSWER}`,
    example: { places: ONE },
  },
  {
    method: 'PATCH',
    path: '/fitur/webhook/{id}',
    what: 'Ubah webhook. Yang tidak dikirim tetap seperti semula.',
    access: 'key',
    fields: FIELDS.map((field) => ({ ...field, optional: true })),
    answer: 'data: webhook-nya.',
    example: { places: ONE, body: { events: ['stream.failed'] } },
  },
  {
    method: 'DELETE',
    path: '/fitur/webhook/{id}',
    what: 'Hapus webhook beserta catatannya.',
    access: 'key',
    example: { places: ONE },
  },
  {
    method: 'POST',
    path: '/fitur/webhook/{id}/pause',
    what: 'Jeda. Kejadian selama dijeda tidak dikirim; yang sudah menunggu tetap menunggu.',
    access: 'key',
    answer: 'data: webhook-nya.',
    example: { places: ONE },
  },
  {
    method: 'POST',
    path: '/fitur/webhook/{id}/resume',
    what: 'Aktifkan lagi, juga yang kami matikan karena penerimanya gagal.',
    access: 'key',
    answer: 'data: webhook-nya.',
    example: { places: ONE },
  },
  {
    method: 'POST',
    path: '/fitur/webhook/{id}/rotate-secret',
    what: 'Ganti signing secret. Yang lama ikut menandatangani selama 24 jam.',
    access: 'key',
    answer: 'data: webhook-nya. secret: yang baru, sekali ini saja.',
    example: { places: ONE },
  },
]

const deliveryCalls: readonly ApiCall[] = [
  {
    method: 'POST',
    path: '/fitur/webhook/{id}/test',
    what: 'Kirim webhook.test sekarang. Dijawab paling lama dalam 15 detik dengan jawaban penerima. Kalau diterima, yang menunggu percobaan berikutnya dikirim sekarang juga.',
    access: 'key',
    answer: 'data: pengirimannya.',
    example: { places: ONE },
  },
  {
    method: 'GET',
    path: '/fitur/webhook/{id}/deliveries',
    what: 'Catatan pengiriman, terbaru dulu. Di query: limit (1 sampai 100), cursor, state.',
    access: 'key',
    answer: `data[]: ${SUMMARY}. nextCursor: null kalau habis.`,
    example: { places: ONE },
  },
  {
    method: 'GET',
    path: '/fitur/webhook/{id}/deliveries/{deliveryId}',
    what: 'Satu pengiriman beserta permintaan dan jawabannya.',
    access: 'key',
    answer: `data: ${SUMMARY}, requestHeaders (tanpa tanda tangan), requestBody, answer (2 kB pertama).`,
    example: { places: DELIVERY },
  },
  {
    method: 'POST',
    path: '/fitur/webhook/{id}/deliveries/{deliveryId}/resend',
    what: 'Kirim lagi yang sudah selesai, dengan webhook-id yang sama. Uji coba dikirim satu kali, dan dijawab dengan jawaban penerima.',
    access: 'key',
    answer: 'data: pengirimannya.',
    example: { places: DELIVERY },
  },
]

export const WEBHOOK_CALLS: ApiGroup = {
  id: 'webhook',
  title: 'Webhook',
  lead: 'Program Anda diberi tahu begitu sesuatu terjadi, tanpa bertanya berulang-ulang. Cara memeriksa tanda tangannya ada di artikel Webhook.',
  calls: [...endpointCalls, ...deliveryCalls],
}
