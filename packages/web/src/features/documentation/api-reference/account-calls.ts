import type { ApiGroup } from './api-call.ts'

const ACCOUNT = { accountId: '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c13' }

export const ACCOUNT_CALLS: ApiGroup = {
  id: 'akun-platform',
  title: 'Akun platform',
  lead: 'Akun Bigo dan TikTok yang terhubung. Id dan token ditanyakan ke platformnya saat ditambahkan, dan message menyampaikan jawabannya; platform yang tidak bisa dihubungi tidak menghalangi. Token TikTok tidak pernah dikembalikan: jawabannya hanya menunjukkan ujungnya.',
  calls: [
    {
      method: 'POST',
      path: '/fitur/bigo/add',
      what: 'Tambah akun Bigo.',
      access: 'key',
      fields: [
        { name: 'siteId', note: 'Id Bigo, atau alamat ruangannya.' },
        { name: 'name', note: 'Nama untuk Anda sendiri.' },
      ],
      answer: 'data: akunnya.',
      example: { body: { siteId: 'sari_bernyanyi', name: 'Sari Bernyanyi' } },
    },
    {
      method: 'GET',
      path: '/fitur/bigo/accounts',
      what: 'Akun Bigo Anda.',
      access: 'key',
      answer: 'data[]: platform, account_id, name, credentials (siteId), createdAt.',
    },
    {
      method: 'DELETE',
      path: '/fitur/bigo/{accountId}',
      what: 'Hapus akun Bigo.',
      access: 'key',
      example: { places: ACCOUNT },
    },
    {
      method: 'POST',
      path: '/fitur/tiktok/add',
      what: 'Tambah akun TikTok.',
      access: 'key',
      fields: [
        { name: 'token', note: 'Token Streamlabs dari akun TikTok Anda.' },
        { name: 'name', note: 'Nama untuk Anda sendiri.' },
      ],
      answer: 'data: akunnya.',
      example: { body: { token: 'token-dari-streamlabs', name: 'Toko Sari' } },
    },
    {
      method: 'GET',
      path: '/fitur/tiktok/accounts',
      what: 'Akun TikTok Anda.',
      access: 'key',
      answer: 'data[]: platform, account_id, name, credentials (token, disamarkan), createdAt.',
    },
    {
      method: 'DELETE',
      path: '/fitur/tiktok/{accountId}',
      what: 'Hapus akun TikTok.',
      access: 'key',
      example: { places: ACCOUNT },
    },
  ],
}
