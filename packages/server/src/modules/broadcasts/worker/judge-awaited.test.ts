import { describe, expect, it } from 'vitest'
import { judgeAwaited } from './judge-awaited.ts'

const video = { status: 'processing', isTooLarge: false }
const asked = { desired: 'live', endCause: null, isOwnerStopped: false, video }

describe('a broadcast that waits for its video', () => {
  it('waits while that is being prepared, and begins when it is ready', () => {
    expect(judgeAwaited(asked)).toEqual({ at: 'waits' })
    expect(judgeAwaited({ ...asked, video: { ...video, status: 'ready' } })).toEqual({ at: 'ready' })
  })

  it.each([
    ['the video failed', { ...video, status: 'failed' }, 'video-failed'],
    ['the video is gone', null, 'source-missing'],
    ['the video is more than the plan allows', { status: 'ready', isTooLarge: true }, 'video-too-large'],
  ])('fails where %s', (_, found, cause) => {
    expect(judgeAwaited({ ...asked, video: found })).toEqual({ at: 'over', end: 'failed', cause })
  })

  it('ends where its owner or somebody else wants it so', () => {
    const stopped = { ...asked, desired: 'stopped' }
    expect(judgeAwaited(stopped)).toEqual({ at: 'over', end: 'stopped', cause: null })
    expect(judgeAwaited({ ...stopped, endCause: 'suspended' })).toMatchObject({ cause: 'suspended' })
  })

  it('ends with the plan, and waits on where the plan was renewed a moment ago', () => {
    const ending = { ...asked, desired: 'ending', endCause: 'plan-ended' }
    expect(judgeAwaited({ ...ending, isOwnerStopped: true })).toMatchObject({ end: 'stopped', cause: 'plan-ended' })
    expect(judgeAwaited(ending)).toEqual({ at: 'waits' })
  })
})
