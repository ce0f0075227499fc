import { describe, expect, it } from 'vitest'
import { noRoomReason } from './room.ts'
import { videoReasonText } from './video-reasons.ts'

const GIB = 1024 ** 3
const storage = { used: 4 * GIB, limit: 5 * GIB }

describe('a file that does not fit', () => {
  it('asks for room that deleting would make', () => {
    expect(videoReasonText(noRoomReason(storage, 2 * GIB, 'free-trial'))).toBe(
      'Ruang Anda tidak cukup: tersisa 1,00 GB, file ini butuh 2,00 GB. Hapus video lama dulu. Paket Free Trial punya ruang 5 GB. Upgrade ke Starter untuk ruang lebih besar.',
    )
  })

  it('does not ask to delete anything where the whole room would be too small', () => {
    expect(videoReasonText(noRoomReason(storage, 6 * GIB, null))).toBe(
      'File ini lebih besar dari seluruh ruang Anda: butuh 6,00 GB, ruang Anda 5,00 GB. Kecilkan dulu filenya.',
    )
    expect(videoReasonText(noRoomReason(storage, 5 * GIB, null))).toContain('Hapus video lama dulu.')
  })
})
