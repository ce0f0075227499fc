import type { Playlist, PlaylistItem } from '@siarin/contracts/playlists'
import { describe, expect, it } from 'vitest'
import { applyEdit, dropIndex, type PlaylistEdit } from './playlist-edits.ts'

const AT = '2026-01-15T12:30:00.000Z'
const item = (id: string, index: number): PlaylistItem => ({
  id,
  index,
  filename: `${id}.mp4`,
  duration: 10,
  status: 'ready',
  fits: true,
})
const items = ['a', 'b', 'c', 'd'].map(item)
const list: Playlist = {
  ...{ id: 'p', name: 'Malam', shuffle: false, count: 4, duration: 40, createdAt: AT, updatedAt: AT, version: 1 },
  items,
}
const after = (...edits: PlaylistEdit[]): Playlist => edits.reduce(applyEdit, list)
const order = (playlist: Playlist): string => playlist.items.map(({ id }) => id).join('')

describe('a list as it will be', () => {
  it('[LIST-02] has a moved item where it was put, and the others in their order', () => {
    expect(order(after({ kind: 'move', itemId: 'a', index: 2 }))).toBe('bcad')
    expect(order(after({ kind: 'move', itemId: 'd', index: 0 }))).toBe('dabc')
    expect(after({ kind: 'move', itemId: 'a', index: 3 }).items.map(({ index }) => index)).toEqual([0, 1, 2, 3])
  })

  it('counts what is left after an item was taken out', () => {
    expect(after({ kind: 'remove', itemId: 'b' })).toMatchObject({ count: 3, duration: 30 })
  })

  it('is the same where an edit has reached the server and still counts as on its way', () => {
    const edits: PlaylistEdit[] = [
      { kind: 'move', itemId: 'a', index: 2 },
      { kind: 'remove', itemId: 'b' },
      { kind: 'shuffle', on: true },
    ]
    for (const edit of edits) expect(after(edit, edit)).toEqual(after(edit))
  })

  it('stays as it is where an item is gone that was to be moved', () => {
    expect(after({ kind: 'move', itemId: 'gone', index: 0 })).toEqual(list)
  })
})

describe('a dragged row', () => {
  const middles = [50, 150, 250, 350]

  it('comes to lie behind the rows whose middle is above the pointer, itself left out', () => {
    expect(dropIndex(middles, 0, 60)).toBe(0)
    expect(dropIndex(middles, 0, 160)).toBe(1)
    expect(dropIndex(middles, 3, 10)).toBe(0)
    expect(dropIndex(middles, 1, 1000)).toBe(3)
  })
})
