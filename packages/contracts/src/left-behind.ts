/**
 * What there was in an account before somebody showed for the first time that its mailbox is theirs. Anybody can register with anybody's
 * address, so it may be a stranger's.
 */
export interface LeftBehind {
  readonly webhooks: number
  readonly channels: number
  readonly schedules: number
  readonly targets: number
  readonly accounts: number
  readonly broadcasts: number
}

const listed = (parts: readonly (readonly [count: number, words: string])[]): string => {
  const words = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  const last = words.pop() ?? ''
  if (words.length === 0) return last
  return `${words.join(', ')}${words.length > 1 ? ',' : ''} dan ${last}`
}

/** Null: there was nothing. */
export function leftBehindText(left: LeftBehind): string | null {
  const paused = listed([
    [left.webhooks, 'webhook'],
    [left.channels, 'saluran notifikasi'],
    [left.schedules, 'jadwal'],
  ])
  const kept = listed([
    [left.targets, 'tujuan siaran'],
    [left.accounts, 'akun platform'],
    [left.broadcasts, 'siaran yang sedang berjalan'],
  ])
  if (paused === '' && kept === '') return null
  return [
    'Alamat email akun ini baru sekarang terbukti milik Anda, jadi yang dibuat sebelumnya mungkin dari orang lain.',
    ...(paused === '' ? [] : [`Karena itu ${paused} kami jeda.`]),
    ...(kept === '' ? [] : [`Periksa ${paused === '' ? '' : 'juga '}${kept}.`]),
    'Hapus yang bukan milik Anda, lalu aktifkan lagi yang milik Anda.',
  ].join(' ')
}
