import type { ApiGroup } from './api-call.ts'

const PERSON = { email: 'sari@gmail.com', password: 'rahasia-sekali' }

export const SESSION_CALLS: ApiGroup = {
  id: 'akun-dan-sesi',
  title: 'Akun dan sesi',
  lead: 'Program Anda biasanya tidak butuh bagian ini: API key dari Profile sudah cukup. Panggilan ini dipakai halaman web, dengan token sesi dari login.',
  calls: [
    {
      method: 'POST',
      path: '/auth/register',
      what: 'Buat akun.',
      access: 'nothing',
      fields: [
        { name: 'username', note: 'Minimal 3 karakter, belum dipakai.' },
        { name: 'email', note: 'Alamat @gmail.com, belum dipakai.' },
        { name: 'password', note: 'Minimal 6 karakter, dan bukan yang umum dipakai.' },
      ],
      example: { body: { username: 'sari', ...PERSON } },
    },
    {
      method: 'POST',
      path: '/auth/login',
      what: 'Masuk.',
      access: 'nothing',
      fields: [
        { name: 'email', note: 'Alamat saat mendaftar.' },
        { name: 'password', note: 'Password Anda.' },
      ],
      answer: 'user (username, email, apiKey, server) dan token.',
      example: { body: PERSON },
    },
    {
      method: 'POST',
      path: '/auth/login/code',
      what: 'Langkah kedua login, untuk akun dengan verifikasi dua langkah: /auth/login menjawab 403 second_factor_needed dengan challenge, yang berlaku 5 menit.',
      access: 'nothing',
      fields: [
        { name: 'challenge', note: 'Dari jawaban /auth/login.' },
        { name: 'code', note: 'Kode 6 angka dari aplikasi, atau satu kode pemulihan.' },
      ],
      answer: 'user (username, email, apiKey, server) dan token.',
      example: { body: { challenge: 'v1.AbCd', code: '123456' } },
    },
    {
      method: 'GET',
      path: '/auth/profile',
      what: 'Profil pemilik sesi.',
      access: 'session',
      answer:
        'data: username, email, createdAt, plan, credit, apiKey, apiKeyHidden, activeSession.lastLogin. Kalau apiKeyHidden true, apiKey kosong: perangkat ini belum dikenal, panggil /auth/confirm dulu.',
    },
    {
      method: 'GET',
      path: '/auth/plan',
      what: 'Paket Anda dan sampai kapan berlaku. Tetap bisa dipanggil setelah akses berhenti.',
      access: 'session',
      answer:
        'data: plan, state (active, grace, ended, suspended), endsAt, stopsAt, endsSoon, videosDeletedAt, suspendedFor, enforced.',
    },
    {
      method: 'POST',
      path: '/auth/profile/apikey',
      what: 'Ganti API key. Yang lama langsung tidak berlaku. Dari perangkat yang belum dikenal, panggil /auth/confirm dulu.',
      access: 'session',
      answer: 'apiKey.',
    },
    {
      method: 'POST',
      path: '/auth/profile/password',
      what: 'Ganti password. Semua perangkat lain dikeluarkan, dan API key ikut diganti.',
      access: 'session',
      answer: 'apiKey: kunci yang baru.',
      fields: [
        { name: 'currentPassword', note: 'Password Anda sekarang.' },
        { name: 'newPassword', note: 'Minimal 6 karakter, dan bukan yang umum dipakai.' },
        { name: 'code', note: 'Kode verifikasi, kalau verifikasi dua langkah aktif.' },
      ],
      example: { body: { currentPassword: PERSON.password, newPassword: 'lebih-rahasia' } },
    },
    {
      method: 'POST',
      path: '/auth/confirm',
      what: 'Ketik password lagi, untuk yang tidak boleh dilakukan sesi saja dari perangkat yang belum dikenal: melihat atau mengganti API key, dan siaran ke tujuan yang tersimpan. Berlaku 15 menit.',
      access: 'session',
      fields: [
        { name: 'password', note: 'Password Anda.' },
        { name: 'trust', note: 'true: perangkat ini tidak ditanya lagi.' },
      ],
      example: { body: { password: PERSON.password } },
    },
    {
      method: 'POST',
      path: '/auth/profile/username',
      what: 'Ganti username.',
      access: 'session',
      fields: [{ name: 'username', note: 'Minimal 3 karakter, belum dipakai.' }],
      answer: 'data: username.',
      example: { body: { username: 'sari-baru' } },
    },
    {
      method: 'DELETE',
      path: '/auth/profile',
      what: 'Hapus akun dengan semua isinya: siaran dihentikan, video dan data dihapus. Tidak bisa dibatalkan.',
      access: 'session',
      fields: [
        { name: 'currentPassword', note: 'Password Anda sekarang.' },
        { name: 'confirm', note: 'Username Anda, diketik persis.' },
      ],
      example: { body: { currentPassword: PERSON.password, confirm: 'sari' } },
    },
    {
      method: 'GET',
      path: '/auth/second-factor',
      what: 'Apakah verifikasi dua langkah aktif.',
      access: 'session',
      answer: 'data: enabled, recoveryCodesLeft.',
    },
    {
      method: 'POST',
      path: '/auth/second-factor',
      what: 'Kunci untuk aplikasi autentikator. Baru berlaku setelah satu kode dikirim ke /auth/second-factor/confirm.',
      access: 'session',
      answer: 'data: secret, uri (isi kode QR).',
    },
    {
      method: 'POST',
      path: '/auth/second-factor/confirm',
      what: 'Aktifkan verifikasi dua langkah.',
      access: 'session',
      fields: [{ name: 'code', note: 'Kode 6 angka dari aplikasi.' }],
      answer: 'data: recoveryCodes, sepuluh kode sekali pakai yang tidak ditampilkan lagi.',
      example: { body: { code: '123456' } },
    },
    {
      method: 'POST',
      path: '/auth/second-factor/off',
      what: 'Matikan verifikasi dua langkah.',
      access: 'session',
      fields: [
        { name: 'password', note: 'Password Anda.' },
        { name: 'code', note: 'Kode dari aplikasi, atau satu kode pemulihan.' },
      ],
      example: { body: { password: PERSON.password, code: '123456' } },
    },
    {
      method: 'GET',
      path: '/auth/sessions',
      what: 'Di mana saja Anda sedang masuk.',
      access: 'session',
      answer: 'data[]: id, current, createdAt, lastSeenAt, device, address.',
    },
    {
      method: 'DELETE',
      path: '/auth/sessions/{sessionId}',
      what: 'Keluarkan satu perangkat lain.',
      access: 'session',
      example: { places: { sessionId: '0198c1f2-7d4e-7000-8a51-3f0e6b9d2c12' } },
    },
    { method: 'POST', path: '/auth/logout', what: 'Akhiri sesi ini.', access: 'session' },
  ],
}
