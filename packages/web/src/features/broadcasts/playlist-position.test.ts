import type { PlaylistNow } from '@siarin/contracts/playlists'
import { describe, expect, it } from 'vitest'
import { nextAnchor, placeWords, positionWords } from './playlist-position.ts'

const NOW: PlaylistNow = {
  ...{ id: 'p', name: 'Malam', shuffle: false, itemId: 'i3', filename: 'laut.mp4', index: 2, count: 20, round: 0 },
  ...{ roundIndex: 2, positionMs: 4_000, durationMs: 250_000, roundPositionMs: 724_000, roundDurationMs: 6_310_000 },
  next: null,
}

describe('where a playlist is', () => {
  it('is said in the item and in the whole', () => {
    expect(placeWords(NOW)).toBe('3 dari 20')
    expect(positionWords(NOW, 0)).toEqual({ item: '0:04 / 4:10', round: '12:04 / 1:45:10' })
    expect(positionWords(NOW, 61_000)).toEqual({ item: '1:05 / 4:10', round: '13:05 / 1:45:10' })
  })

  it('is the place in the round where the list is shuffled, and none once the item was taken out', () => {
    expect(placeWords({ ...NOW, shuffle: true, roundIndex: 7 })).toBe('8 dari 20, acak')
    expect(placeWords({ ...NOW, index: null, roundIndex: null })).toBe('sudah dikeluarkan')
  })

  it('does not go past the end of an item, and has no end where nobody knows it', () => {
    expect(positionWords(NOW, 600_000)).toEqual({ item: '4:10 / 4:10', round: '16:10 / 1:45:10' })
    const unknown = { ...NOW, durationMs: null, roundDurationMs: 0 }
    expect(positionWords(unknown, 1_000)).toEqual({ item: '0:05', round: '12:05' })
  })
})

describe('the clock of a playlist', () => {
  const begun = nextAnchor(null, NOW, 100_000)

  it('goes on by itself while what is told is a little late', () => {
    expect(begun).toMatchObject({ positionMs: 4_000, atMs: 100_000 })
    expect(nextAnchor(begun, { ...NOW, positionMs: 4_000 }, 103_000)).toBe(begun)
    expect(nextAnchor(begun, { ...NOW, positionMs: 7_000 }, 104_000)).toBe(begun)
  })

  it('is set where it is behind, or far ahead', () => {
    expect(nextAnchor(begun, { ...NOW, positionMs: 9_000 }, 104_000)).toMatchObject({ positionMs: 9_000 })
    expect(nextAnchor(begun, NOW, 110_000)).toMatchObject({ positionMs: 4_000, atMs: 110_000 })
  })

  it('begins anew with another item, and with the same one in the next round', () => {
    expect(nextAnchor(begun, { ...NOW, itemId: 'i4', positionMs: 0 }, 101_000)).toMatchObject({ positionMs: 0 })
    expect(nextAnchor(begun, { ...NOW, round: 1 }, 101_000)).not.toBe(begun)
  })
})
