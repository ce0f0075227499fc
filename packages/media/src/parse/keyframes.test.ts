import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { parseKeyframes } from './keyframes.ts'

describe('key frames, from the packets of a file', () => {
  // ffprobe 5.1.9 with the arguments of packetProbeArgs; each sample is the true beginning of a true file.
  it('reads an MP4 with B-frames, whose packets come in decoding order', () => {
    const csv =
      '0.000000,-0.066667,0.033333,100,K_\n0.100000,-0.033333,0.033333,100,__\n0.033333,0.000000,0.033333,100,__\n0.066667,0.033333,0.033333,100,__\n'
    expect(parseKeyframes(csv)).toEqual({
      firstPacketIsKey: true,
      largestGapSeconds: 0.133333,
      spanSeconds: 0.133333,
      largestStepSeconds: 0.033334,
      smallestStepSeconds: 0.033333,
      densestBitsPerSecond: 24_000,
    })
  })

  it('reads an MPEG-TS, whose side data adds commas and empty lines', () => {
    const csv = '1.421333,1.421333,0.033333,100,K_,\n\n1.454667,1.454667,0.033333,100,__,\n\n'
    expect(parseKeyframes(csv)).toMatchObject({
      firstPacketIsKey: true,
      largestGapSeconds: 0.066667,
      spanSeconds: 0.066667,
    })
  })

  it('reads an AVI, which knows only decoding times', () => {
    const csv = 'N/A,0.000000,0.016667,100,K_\nN/A,0.066667,0.016667,100,__\n'
    expect(parseKeyframes(csv)).toMatchObject({ firstPacketIsKey: true, largestGapSeconds: 0.083334 })
  })

  it('does not take a first packet for a key frame that an edit list discards', () => {
    const csv = '-1.000000,-1.000000,0.033333,100,KD\n-0.966667,-0.966667,0.033333,100,_D\n'
    expect(parseKeyframes(csv)?.firstPacketIsKey).toBe(false)
  })

  it('does not take one for a key frame to start with that leads pictures shown before it', () => {
    const csv = '0.12,0.00,0.04,100,K_\n0.04,0.04,0.04,100,__\n0.08,0.08,0.04,100,__\n'
    expect(parseKeyframes(csv)?.firstPacketIsKey).toBe(false)
  })

  it('reads a Matroska, of whose first packets no decoding time is known', () => {
    const csv = '0.021,N/A,0.04,100,K_\n0.141,N/A,0.04,100,__\n0.061,0.021,0.04,100,__\n0.101,0.061,0.04,100,__\n'
    expect(parseKeyframes(csv)).toEqual({
      firstPacketIsKey: true,
      largestGapSeconds: 0.16,
      spanSeconds: 0.16,
      largestStepSeconds: 0.04,
      smallestStepSeconds: 0.04,
      densestBitsPerSecond: 20_000,
    })
  })

  it('counts what is shown where the decoding times promise more, or are not known', () => {
    expect(parseKeyframes('10.00,9.00,0.04,100,K_\n10.04,10.04,0.04,100,__\n')?.spanSeconds).toBe(0.08)
    expect(parseKeyframes('1.0,N/A,N/A,100,K_\n2.0,N/A,0.5,100,__\n')).toMatchObject({
      spanSeconds: 1.5,
      largestStepSeconds: 0,
      smallestStepSeconds: 0,
    })
  })

  it('may have Windows line ends', () => {
    expect(parseKeyframes('0.00,0.00,0.04,100,K_\r\n\r\n0.04,0.04,0.04,100,__\r\n')).toMatchObject({
      spanSeconds: 0.08,
    })
  })

  it('counts what is there of a file cut off before pictures that were to be shown earlier', () => {
    const csv = '0.00,-0.08,0.04,100,K_\n0.12,-0.04,0.04,100,__\n'
    expect(parseKeyframes(csv)?.spanSeconds).toBe(0.08)
  })

  it('reads the third flag of ffprobe 6 and later', () => {
    expect(parseKeyframes('0.0,0.0,0.04,100,K__\n0.04,0.04,0.04,100,___\n')?.firstPacketIsKey).toBe(true)
  })

  it('counts the stretch before the first key frame and the one behind the last', () => {
    expect(parseKeyframes('0.0,0.0,1.0,100,__\n5.0,5.0,1.0,100,K_\n6.0,6.0,1.0,100,__\n')).toMatchObject({
      firstPacketIsKey: false,
      largestGapSeconds: 5,
      spanSeconds: 7,
      largestStepSeconds: 5,
      smallestStepSeconds: 1,
    })
    expect(parseKeyframes('0.0,0.0,1.0,100,K_\n1.0,1.0,1.0,100,K_\n9.0,9.0,1.0,100,__\n')?.largestGapSeconds).toBe(9)
  })

  it.each([
    ['', 'nothing'],
    ['\n\n', 'empty lines'],
    ['N/A,N/A,N/A,100,K_\n', 'no time'],
    ['0.0,0.0,0.03,100,K_\n0.03,0.0', 'a line cut off'],
    ['0.0,0.0,0.03,100,K_\n0.03,0.03,0.03,100,?!\n', 'unknown flags'],
    ['file:x: No such file\n', 'an error'],
    ['0.0,0.0,0.03,100,XK_\n', 'a flag before those it knows'],
    ['0.0,0.0,0.03,100,K_CX\n', 'a flag behind those it knows'],
    ['x1.0,x1.0,0.03,100,K_\n', 'a time behind something else'],
    ['1.0x,1.0x,0.03,100,K_\n', 'a time before something else'],
  ])('is null for %j (%s)', (csv) => {
    expect(parseKeyframes(csv)).toBeNull()
  })

  const density = (packets: readonly (readonly [at: number, bytes: number | string])[]) =>
    parseKeyframes(packets.map(([at, bytes]) => `${at},${at},1.0,${bytes},K_\n`).join(''))?.densestBitsPerSecond
  const quiet = (from: number, to: number): [number, number][] =>
    Array.from({ length: to - from }, (_, i) => [from + i, 1000])

  it('finds the ten seconds that are sent with the most bits, however quiet the rest is', () => {
    expect(density(quiet(0, 600))).toBe(8_000)
    expect(density([...quiet(0, 300), [300, 1_000_000], ...quiet(301, 600)])).toBe(807_200)
    expect(density([...quiet(0, 20), [19, 50_000], [3, 50_000], ...quiet(20, 40)])).toBe(88_000)
  })

  it('finds them wherever the bytes lie, in times that go backwards too', () => {
    const packet = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 100_000 }))
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 80 }), (some) => {
        const packets: [number, number][] = [[0, 0], ...some, [60, 0]]
        let sentAt = 0
        const sent = packets.map(([at, bytes]) => {
          sentAt = Math.max(sentAt, at)
          return { sentAt, bytes }
        })
        const upTo = (end: number) => sent.filter((each) => each.sentAt <= end && each.sentAt > end - 10)
        const sums = sent.map((last) => upTo(last.sentAt).reduce((sum, { bytes }) => sum + bytes, 0))
        expect(density(packets)).toBe(Math.round((8 * Math.max(...sums)) / 10))
      }),
    )
  })

  it('[SAFE-07] does not add them up anew at each of millions of packets', () => {
    const packets = Array.from({ length: 20_000 }, (_, number): [number, number] => [number / 1000, 1000])
    const sums = vi.spyOn(Array.prototype, 'reduce')
    const found = density(packets)
    const count = sums.mock.calls.length
    sums.mockRestore()
    expect([found, count]).toEqual([8_000_000, 20])
  })

  it('counts a short video as often as it is sent in them, and a size that is not told as nothing', () => {
    expect(density(quiet(0, 2))).toBe(8_000)
    expect(density([[0, 'N/A']])).toBe(0)
  })

  it('finds the largest gap of any file', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(gaps, (gops) => {
        const frame = 0.04
        let at = 0
        const lines = gops.flatMap((length) =>
          Array.from({ length }, (_, i) => {
            const time = (frame * at++).toFixed(6)
            return `${time},${time},${frame.toFixed(6)},100,${i === 0 ? 'K_' : '__'}\n`
          }),
        )
        const facts = parseKeyframes(lines.join(''))
        expect(facts?.firstPacketIsKey).toBe(true)
        expect(facts?.largestGapSeconds).toBeCloseTo(Math.max(...gops) * frame, 5)
        expect(facts?.spanSeconds).toBeCloseTo(at * frame, 5)
      }),
      { numRuns: 50 },
    )
  })
})
