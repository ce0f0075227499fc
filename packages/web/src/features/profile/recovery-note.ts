import { formatMoment } from '../../lib/format.ts'

interface NoteFacts {
  readonly codes: readonly string[]
  readonly brand: string
  readonly address: string
  readonly email: string
  readonly madeAt: Date
}

/** Found in a folder a year later, it says what it opens and whether it is the newest. */
export const recoveryNote = ({ codes, brand, address, email, madeAt }: NoteFacts): string =>
  [
    `Kode pemulihan ${brand} (verifikasi dua langkah)`,
    `Layanan: ${address}`,
    `Akun: ${email}`,
    `Dibuat: ${formatMoment(madeAt.toISOString())}`,
    '',
    'Satu kode menggantikan kode dari aplikasi, sekali pakai. Simpan di tempat aman.',
    '',
    ...codes,
    '',
  ].join('\n')

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** 'kode-pemulihan-siarin-2026-11-15.txt': no file of another day or service is written over. */
export function recoveryFileName({ brand, madeAt }: Pick<NoteFacts, 'brand' | 'madeAt'>): string {
  const day = [madeAt.getFullYear(), twoDigits(madeAt.getMonth() + 1), twoDigits(madeAt.getDate())].join('-')
  const service = brand
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${['kode-pemulihan', service, day].filter(Boolean).join('-')}.txt`
}
