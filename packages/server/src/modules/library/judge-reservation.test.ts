import { describe, expect, it } from 'vitest'
import { judgeReservation } from './judge-reservation.ts'

const asked = { kind: 'tus', atLeast: 10, atMost: 50, limit: 100, mostOpen: 2, mostVideos: 5 } as const
const nothing = { videos: 0, videoBytes: 0, comingBytes: 0, openUploads: 0 }

describe('a reservation', () => {
  it('gets all that it asks for where there is room', () => {
    expect(judgeReservation(asked, nothing)).toEqual({ outcome: 'granted', bytes: 50 })
  })

  it('gets what is left, down to what is still of use', () => {
    expect(judgeReservation(asked, { ...nothing, videoBytes: 60, comingBytes: 20 })).toEqual({
      outcome: 'granted',
      bytes: 20,
    })
    expect(judgeReservation(asked, { ...nothing, videoBytes: 60, comingBytes: 30 })).toEqual({
      outcome: 'granted',
      bytes: 10,
    })
    expect(judgeReservation(asked, { ...nothing, videoBytes: 60, comingBytes: 31 })).toEqual({
      outcome: 'no-room',
      taken: 91,
    })
  })

  it('of no announced size needs some room all the same', () => {
    const unannounced = { ...asked, atLeast: 0, atMost: 0 }
    expect(judgeReservation(unannounced, { ...nothing, videoBytes: 99 })).toEqual({ outcome: 'granted', bytes: 0 })
    expect(judgeReservation(unannounced, { ...nothing, videoBytes: 100 })).toEqual({ outcome: 'no-room', taken: 100 })
    // A plan that became smaller.
    expect(judgeReservation(unannounced, { ...nothing, videoBytes: 130 })).toEqual({ outcome: 'no-room', taken: 130 })
  })

  it('[SAFE-07] is refused where there are as many videos as one may have, with those that are on their way', () => {
    const full = { ...nothing, videos: 4, openUploads: 1 }
    expect(judgeReservation(asked, full)).toEqual({ outcome: 'too-many-videos' })
    expect(judgeReservation(asked, { ...full, openUploads: 0 }).outcome).toBe('granted')
    // The row of an import was counted when it was written.
    expect(judgeReservation({ ...asked, kind: 'import' }, { ...full, videos: 5 }).outcome).toBe('granted')
  })

  it('is one of a few uploads under way; imports wait for their turn by themselves', () => {
    const busy = { ...nothing, openUploads: 2 }
    expect(judgeReservation(asked, busy)).toEqual({ outcome: 'too-many' })
    expect(judgeReservation({ ...asked, kind: 'multipart' }, busy)).toEqual({ outcome: 'too-many' })
    expect(judgeReservation({ ...asked, kind: 'import' }, busy)).toEqual({ outcome: 'granted', bytes: 50 })
  })
})
