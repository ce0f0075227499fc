import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listWithTail, loopPlan } from './loop-plan.ts'
import type { EdgePacket } from './parse/edges.ts'

interface Made {
  fps?: number
  seconds?: number
  sampleRate?: number
  /** When the first packet of sound is heard: before zero where an encoder's priming is sent. */
  soundStart?: number
  soundPackets?: number
  /** How late in the file sound lies behind the picture of the same moment. */
  soundBehind?: number
  mustCopy?: boolean
}

/** A file of key frames every second without B-frames, as ffprobe would list its packets. */
function fileOf({
  fps = 25,
  seconds = 6,
  sampleRate = 48_000,
  soundStart = -1024 / 48_000,
  soundBehind = 0,
  mustCopy = false,
  ...more
}: Made) {
  const frame = 1024 / sampleRate
  const soundPackets = more.soundPackets ?? Math.ceil((seconds - soundStart) / frame)
  const pictures: EdgePacket[] = Array.from({ length: seconds * fps }, (_, index) => {
    const at = index / fps
    return { isPicture: true, pts: at, dts: at, seconds: 1 / fps, isKey: index % fps === 0 }
  })
  const sounds: EdgePacket[] = Array.from({ length: soundPackets }, (_, index) => {
    const at = soundStart + index * frame
    return { isPicture: false, pts: at, dts: at, seconds: frame, isKey: true }
  })
  const placeOf = ({ isPicture, dts }: EdgePacket) => dts + (isPicture ? 0 : soundBehind)
  const tail = [...pictures, ...sounds].sort((one, other) => placeOf(one) - placeOf(other))
  const edges = { pictureStart: 0, soundStart, tail, soundPackets }
  return { edges, sampleRate, fps, soundPackets, startSeconds: Math.min(0, soundStart), mustCopy }
}

const packetsFor = (seconds: number, soundStart = -1024 / 48_000): number =>
  Math.ceil(((seconds - soundStart) * 48_000) / 1024)

describe('a file whose end does not meet its beginning', () => {
  it('lasts as long as its sound where that is a little longer: the last picture stands', () => {
    const file = fileOf({})
    expect(loopPlan(file)).toEqual({
      kind: 'list',
      list: { seconds: 6.037334, startSeconds: -1024 / 48_000, outpoint: null, bodySeconds: null },
    })
  })

  it('lasts as long as its picture where the sound is a little shorter', () => {
    expect(loopPlan(fileOf({ soundPackets: packetsFor(5.95) }))).toMatchObject({ kind: 'list', list: { seconds: 6 } })
  })

  it('is cut where its sound is much longer', () => {
    const plan = loopPlan(fileOf({ soundPackets: packetsFor(6.3) }))
    if (plan.kind !== 'list') return expect.unreachable()
    const { outpoint, seconds } = plan.list
    expect(outpoint).toBeGreaterThan(5.96)
    expect(outpoint).toBeLessThan(6)
    expect(seconds).toBeGreaterThanOrEqual(6)
    expect(seconds).toBeLessThan(6.03)
  })

  it('is put in order first where what is needed lies behind the cut', () => {
    const plan = loopPlan(fileOf({ soundPackets: packetsFor(6.3), soundBehind: -0.5 }))
    expect(plan).toMatchObject({ kind: 'remux', isFilled: false })
  })

  it('gets a tail with silence where its sound ends early', () => {
    const plan = loopPlan(fileOf({ soundPackets: packetsFor(5.5) }))
    expect(plan).toMatchObject({ kind: 'tail', cut: { keyframe: 5, pictureEnd: 6, pictureStart: 0 } })
    if (plan.kind !== 'tail') return
    expect(plan.cut.outpoint).toBeGreaterThan(4.96)
    expect(plan.cut.outpoint).toBeLessThanOrEqual(5)
    expect(plan.cut.soundFrom).toBeGreaterThan(4.97)
    expect(plan.cut.soundFrom).toBeLessThan(5.03)
  })

  it('is copied with silence in front where its sound begins late', () => {
    expect(loopPlan(fileOf({ soundStart: 0.2 }))).toMatchObject({ kind: 'remux', isFilled: true })
  })

  it('is copied where browsers cannot play it', () => {
    expect(loopPlan(fileOf({ mustCopy: true }))).toMatchObject({ kind: 'remux', isFilled: false })
  })

  it.each([
    ['has a hole or an overlap inside', { ...fileOf({}), soundPackets: 300 }],
    ['begins long before the picture', fileOf({ soundStart: -1 })],
    [
      'is not there',
      { ...fileOf({}), edges: { ...fileOf({}).edges, tail: fileOf({}).edges.tail.filter((one) => one.isPicture) } },
    ],
  ])('needs its sound made anew where that %s', (_name, file) => {
    expect(loopPlan(file)).toEqual({ kind: 'encode-sound' })
  })

  it('never steps by more than 100 ms at its seam, and never backward, whatever its sound is like', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(24, 25, 30, 50, 60),
        fc.constantFrom(44_100, 48_000),
        fc.double({ min: -0.09, max: 0.3, noNaN: true }),
        fc.double({ min: 4, max: 8, noNaN: true }),
        fc.double({ min: -0.4, max: 0.4, noNaN: true }),
        (fps, sampleRate, soundStart, soundEnd, soundBehind) => {
          const frame = 1024 / sampleRate
          const soundPackets = Math.max(1, Math.round((soundEnd - soundStart) / frame))
          const file = fileOf({ fps, sampleRate, soundStart, soundPackets, soundBehind })
          const plan = loopPlan(file)
          if (plan.kind !== 'list') return
          const { seconds, outpoint } = plan.list
          const end = outpoint ?? Number.POSITIVE_INFINITY
          const cut = file.edges.tail.findIndex(({ dts }) => dts >= end)
          const sent = cut === -1 ? file.edges.tail : file.edges.tail.slice(0, cut)
          const last = (isPicture: boolean) =>
            Math.max(...sent.filter((one) => one.isPicture === isPicture).map(({ pts }) => pts))
          const steps = [seconds - last(true), seconds + soundStart - last(false)]
          for (const step of steps) {
            expect(step).toBeGreaterThan(0)
            expect(step).toBeLessThanOrEqual(0.1001)
          }
          // Every picture is sent.
          expect(sent.filter(({ isPicture }) => isPicture)).toHaveLength(6 * fps)
        },
      ),
    )
  })
})

describe('a tail that was made', () => {
  const file = fileOf({ soundPackets: packetsFor(5.5) })
  const plan = loopPlan(file)
  const cut = plan.kind === 'tail' ? plan.cut : expect.unreachable()
  const frame = 1024 / 48_000
  const tailOf = ({ pictureEnd = 6, soundEnd = 5.99 }) => ({
    startSeconds: 4.99,
    edges: {
      ...{ pictureStart: 5, soundStart: 4.99, soundPackets: 47 },
      tail: [
        { isPicture: true, pts: pictureEnd - 0.04, dts: 5.96, seconds: 0.04, isKey: false },
        { isPicture: false, pts: soundEnd - frame, dts: soundEnd - frame, seconds: frame, isKey: true },
      ],
    },
  })

  it('is played behind the file, up to where its sound reaches', () => {
    expect(listWithTail(cut, tailOf({}), { startSeconds: -0.021333, fps: 25 })).toMatchObject({
      ...{ seconds: 6.011334, outpoint: cut.outpoint },
      bodySeconds: expect.closeTo(5.011333, 6),
    })
  })

  it.each([
    ['its sound is still short', tailOf({ soundEnd: 5.8 })],
    ['its sound is too long', tailOf({ soundEnd: 6.2 })],
    ['pictures are missing', tailOf({ pictureEnd: 5.8 })],
    ['it is empty', { startSeconds: 5, edges: { ...tailOf({}).edges, tail: [] } }],
  ])('is of no use where %s', (_name, made) => {
    expect(listWithTail(cut, made, { startSeconds: 0, fps: 25 })).toBeNull()
  })
})
