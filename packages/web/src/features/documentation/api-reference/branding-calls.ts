import type { ApiGroup } from './api-call.ts'

const KIT =
  'kit: logo (width, height, version; null bila belum ada), text, colours, allows (none, logo, full: menurut paket Anda).'

export const BRANDING_CALLS: ApiGroup = {
  id: 'branding',
  title: 'Branding',
  lead: 'Logo, satu baris teks, dan warna Anda. Dipasang saat versi video disiapkan (look di POST /fitur/video/rendition/{filename}), jadi siarannya tidak lebih berat.',
  calls: [
    { method: 'GET', path: '/fitur/branding', what: 'Brand Anda sekarang.', access: 'key', answer: KIT },
    {
      method: 'PUT',
      path: '/fitur/branding',
      what: 'Ubah teks atau warnanya. Versi video yang sudah jadi tidak berubah.',
      access: 'key',
      fields: [
        { name: 'text', note: 'Satu baris, paling panjang 80 karakter. Kosong: tanpa teks.', optional: true },
        { name: 'colours', note: 'text dan background, misalnya #1a2b3c.', optional: true },
      ],
      answer: KIT,
      example: { body: { text: 'Radio Kopi', colours: { text: '#ffffff', background: '#111827' } } },
    },
    {
      method: 'PUT',
      path: '/fitur/branding/logo',
      what: 'Pasang logo: isi permintaannya file itu sendiri, PNG atau SVG, paling besar 2 MB. Yang disimpan PNG buatan kami.',
      access: 'key',
      answer: KIT,
      example: { flags: ["-H 'Content-Type: image/png'", '--data-binary @logo.png'] },
    },
    { method: 'GET', path: '/fitur/branding/logo', what: 'Logo Anda, sebagai PNG.', access: 'key' },
    {
      method: 'DELETE',
      path: '/fitur/branding/logo',
      what: 'Hapus logo. Versi video yang sudah memakainya tetap memakainya.',
      access: 'key',
      answer: KIT,
    },
  ],
}
