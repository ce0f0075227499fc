import { describe, expect, it } from 'vitest'
import { noRoomWords } from './room.ts'

const GIB = 1024 ** 3
const storage = { used: 4 * GIB, limit: 5 * GIB }

describe('a file that does not fit', () => {
  it('asks for room that deleting would make', () => {
    expect(noRoomWords(storage, 2 * GIB, 'Paket Free Trial punya ruang 5 GB.')).toBe(
      'Ruang Anda tidak cukup: tersisa 1,00 GB, file ini butuh 2,00 GB. Hapus video lama dulu. Paket Free Trial punya ruang 5 GB.',
    )
  })

  it('does not ask to delete anything where the whole room would be too small', () => {
    expect(noRoomWords(storage, 6 * GIB, '')).toBe(
      'File ini lebih besar dari seluruh ruang Anda: butuh 6,00 GB, ruang Anda 5,00 GB. Kecilkan dulu filenya.',
    )
    expect(noRoomWords(storage, 5 * GIB, '')).toContain('Hapus video lama dulu.')
  })
})
