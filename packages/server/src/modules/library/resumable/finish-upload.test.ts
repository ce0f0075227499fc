import { Upload } from '@tus/server'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../errors.ts'
import { InspectionTimedOutError } from '../inspect-video.ts'
import type { VideoRow } from '../video-row.ts'
import { createUploadFinisher } from './finish-upload.ts'
import { createPostponements } from './postponements.ts'

const ID = 'budi~video'
const upload = new Upload({ id: ID, offset: 1, size: 1, metadata: { filename: 'klip.mp4' } })
const ROW = { id: 'video', user_id: 'budi' } as VideoRow

/** `accept`: what becomes of the file at the intake. */
function finisher(accept: () => Promise<void>, { hasFile = true } = {}) {
  const world = { row: null as VideoRow | null, hasArrived: false, forgotten: 0, accepted: 0, settled: 0 }
  const { finish, isFinishing } = createUploadFinisher({
    repo: { byId: async () => world.row },
    intake: {
      async accept() {
        world.accepted++
        await accept()
        return ROW
      },
      hasArrived: async () => world.hasArrived,
      settle: async () => void world.settled++,
    },
    store: { arrivedOf: (id) => ({ file: `/resumable/${id}` }), isThere: async () => hasFile },
    forget: async () => void world.forgotten++,
    postponements: createPostponements(600_000),
  })
  return { world, finish, isFinishing }
}

const refusal = new DomainError('video_unusable', 'no video')

describe('a complete upload', () => {
  it('becomes a video, and is forgotten', async () => {
    const { world, finish } = finisher(async () => {})
    await finish(upload)
    expect(world).toMatchObject({ accepted: 1, forgotten: 1 })
  })

  it('becomes one video, however often its sender asks meanwhile', async () => {
    const inspected = Promise.withResolvers<void>()
    const { world, finish, isFinishing } = finisher(() => inspected.promise)
    const both = [finish(upload), finish(upload)]
    expect(isFinishing(ID)).toBe(true)
    inspected.resolve()
    await Promise.all(both)
    expect(world).toMatchObject({ accepted: 1, forgotten: 1 })
    expect(isFinishing(ID)).toBe(false)
  })

  it('whose row a crash left without its file is only moved to its place', async () => {
    const { world, finish } = finisher(async () => {})
    world.row = ROW
    await finish(upload)
    expect(world).toMatchObject({ accepted: 0, settled: 1, forgotten: 1 })
  })

  it('that is a video already is only forgotten', async () => {
    const { world, finish } = finisher(async () => {})
    Object.assign(world, { row: ROW, hasArrived: true })
    await finish(upload)
    expect(world).toMatchObject({ accepted: 0, settled: 0, forgotten: 1 })
  })

  it('that is refused is refused for ever', async () => {
    const { world, finish } = finisher(() => Promise.reject(refusal))
    await expect(finish(upload)).rejects.toBe(refusal)
    expect(world.forgotten).toBe(1)
  })

  it.each([
    ['a full queue', new DomainError('server_full', 'later')],
    ['anything unforeseen', new Error('the database is away')],
  ])('stays after %s, and may be finished again', async (_, error) => {
    const { world, finish } = finisher(() => Promise.reject(error))
    await expect(finish(upload)).rejects.toBe(error)
    await expect(finish(upload)).rejects.toBe(error)
    expect(world).toMatchObject({ accepted: 2, forgotten: 0 })
  })

  it('whose inspection took too long waits, and is not inspected meanwhile', async () => {
    const { world, finish } = finisher(() => Promise.reject(new InspectionTimedOutError({ wasStarved: false })))
    const later = { code: 'server_full', retryAfterSeconds: 600 }
    await expect(finish(upload)).rejects.toMatchObject(later)
    await expect(finish(upload)).rejects.toMatchObject(later)
    expect(world).toMatchObject({ accepted: 1, forgotten: 0 })
  })

  it('that was cancelled meanwhile is not found', async () => {
    const { world, finish } = finisher(() => Promise.reject(refusal), { hasFile: false })
    await expect(finish(upload)).rejects.toMatchObject({ code: 'not_found' })
    expect(world.forgotten).toBe(1)
  })

  it('that another program was quicker with is a video all the same', async () => {
    const { world, finish } = finisher(async () => {
      Object.assign(world, { row: ROW, hasArrived: true })
      throw new Error('no such file')
    })
    await finish(upload)
    expect(world.forgotten).toBe(1)
  })
})
