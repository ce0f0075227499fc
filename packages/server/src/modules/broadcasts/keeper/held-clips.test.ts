import { expect, it } from 'vitest'
import type { Clip } from '../sequence/clips.ts'
import { clipsOf, holdClips } from './held-clips.ts'

const clip = (videoId: string): Clip => ({ videoId, filename: '', path: '', durationMs: 1, bytes: 1, loop: null })

it('the files of what plays now and next are held, each is let go of once, and what never came into use at once', () => {
  const released: Clip[] = []
  const held = holdClips((gone) => void released.push(gone))
  const [first, second, unwanted] = [clip('1'), clip('2'), clip('2')]
  held.keep([first], [first, null])
  held.keep([second], [first, second])
  held.keep([unwanted], [first, second])
  expect(released).toEqual([unwanted])
  held.keep([], [second, null])
  expect(released).toEqual([unwanted, first])
  held.keep([], [])
  held.keep([], [])
  expect(released).toEqual([unwanted, first, second])
})

it('a clip comes with a session, with what an earlier run left, and with another video', () => {
  const begun = { clip: clip('1'), item: 0, place: null, fromMs: 0, onFallback: false, note: null }
  const session = { number: 1, pid: 1, birth: '', ...begun }
  expect(clipsOf({ type: 'started', session })).toEqual([session.clip])
  expect(clipsOf({ type: 'taken-over', session })).toEqual([session.clip])
  expect(clipsOf({ type: 'taken-over', session: null })).toEqual([])
  expect(clipsOf({ type: 'swap-judged', after: null, wanted: { clip: session.clip, follows: true } })).toEqual([
    session.clip,
  ])
  const after = { itemId: 'item', round: 0 }
  const next = { clip: session.clip, place: after, follows: true }
  const following = { ...next, clip: clip('2') }
  expect(clipsOf({ type: 'started', session: { ...session, next: following } })).toEqual([session.clip, following.clip])
  expect(clipsOf({ type: 'next-judged', after, next })).toEqual([session.clip])
  expect(clipsOf({ type: 'next-judged', after, next: 'end' })).toEqual([])
  expect(clipsOf({ type: 'halt' })).toEqual([])
})
