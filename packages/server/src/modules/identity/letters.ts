import { deviceWords } from '@siarin/contracts/device-words'
import type { Letter } from '../../platform/mail/mailer.ts'

/** No letter holds what somebody typed, such as a username: the address may be a stranger's, and the words would come from us. */
export interface Sender {
  readonly brand: string
  readonly publicUrl: string
}

const moment = new Intl.DateTimeFormat('id-ID', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Asia/Jakarta',
})

const momentWords = (at: number): string => `${moment.format(at)} WIB`

const letter = ({ brand }: Sender, to: string, subject: string, paragraphs: readonly string[]): Letter => ({
  to,
  subject: `${subject} - ${brand}`,
  text: `Halo,\n\n${paragraphs.join('\n\n')}\n\nSalam,\n${brand}\n`,
})

export const verifyLetter = (sender: Sender, to: string, link: string): Letter => ({
  ...letter(sender, to, 'Pastikan alamat email Anda', [
    `Alamat ini dipakai untuk akun ${sender.brand}. Buka tautan berikut untuk memastikan bahwa alamat ini milik Anda:`,
    link,
    'Tautan ini berlaku tiga hari. Kalau bukan Anda yang mendaftar, abaikan saja email ini.',
  ]),
  canWait: true,
})

export const resetLetter = (sender: Sender, to: string, link: string): Letter =>
  letter(sender, to, 'Buat password baru', [
    'Ada yang meminta password baru untuk akun Anda. Buka tautan berikut untuk membuatnya:',
    link,
    'Tautan ini berlaku 30 menit dan hanya sekali pakai. Setelah itu semua perangkat keluar, dan API key Anda ikut diganti. Siaran yang tayang tidak terganggu.',
    'Kalau bukan Anda yang meminta, abaikan email ini: password Anda tetap sama.',
  ])

interface NewDevice {
  /** What it says of itself, which may be anything. */
  readonly device: string
  readonly address: string
  readonly at: number
}

export const newDeviceLetter = (sender: Sender, to: string, { device, address, at }: NewDevice): Letter =>
  letter(sender, to, 'Login dari perangkat baru', [
    'Akun Anda baru saja dibuka dari perangkat yang belum pernah dipakai:',
    `Waktu: ${momentWords(at)}\nAlamat: ${address}\nPerangkat: ${deviceWords(device)}`,
    'Kalau ini Anda, tidak ada yang perlu dilakukan. Kalau bukan, segera ganti password Anda dan keluarkan perangkat itu di Profile:',
    `${sender.publicUrl}/profile`,
  ])

export const passwordChangedLetter = (
  sender: Sender,
  to: string,
  { at, leftBehind = null }: { at: number; leftBehind?: string | null },
): Letter =>
  letter(sender, to, 'Password Anda diganti', [
    `Password akun Anda diganti pada ${momentWords(at)}. Perangkat lain dikeluarkan, dan API key Anda ikut diganti.`,
    ...(leftBehind === null ? [] : [leftBehind]),
    'Kalau bukan Anda yang menggantinya, minta password baru sekarang juga:',
    `${sender.publicUrl}/forgot-password`,
  ])

export const secondFactorLetter = (
  sender: Sender,
  to: string,
  { now, at }: { now: 'on' | 'off'; at: number },
): Letter =>
  letter(sender, to, `Verifikasi dua langkah ${now === 'on' ? 'diaktifkan' : 'dimatikan'}`, [
    now === 'on'
      ? `Verifikasi dua langkah akun Anda diaktifkan pada ${momentWords(at)}. Perangkat lain dikeluarkan.`
      : `Verifikasi dua langkah akun Anda dimatikan pada ${momentWords(at)}. Login hanya memerlukan password.`,
    'Kalau bukan Anda yang melakukannya, minta password baru sekarang juga, lalu hubungi administrator:',
    `${sender.publicUrl}/forgot-password`,
  ])
