import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseProgress, writtenBytes } from './progress.ts'

/** ffmpeg 5.1.9, the first two blocks of a broadcast in copy mode, as they stood in the file. */
const FIRST = `frame=0
fps=0.00
stream_0_0_q=-1.0
bitrate=N/A
total_size=444
out_time_us=0
out_time_ms=0
out_time=00:00:00.000000
dup_frames=0
drop_frames=0
speed=N/A
progress=continue
`
const SECOND = `frame=134
fps=25.09
stream_0_0_q=-1.0
bitrate=19635.0kbits/s
total_size=10995602
out_time_us=4480000
out_time_ms=4480000
out_time=00:00:04.480000
dup_frames=0
drop_frames=0
speed=0.839x
progress=continue
`
const second = {
  frame: 134,
  fps: 25.09,
  bitrateKbps: 19635,
  totalBytes: 10995602,
  outTimeMs: 4480,
  speed: 0.839,
  ended: false,
}

describe('the progress of ffmpeg', () => {
  it('is that of the newest block', () => {
    expect(parseProgress(FIRST + SECOND)).toEqual(second)
  })

  it('has null for what ffmpeg does not know yet', () => {
    expect(parseProgress(FIRST)).toEqual({
      frame: 0,
      fps: 0,
      bitrateKbps: null,
      totalBytes: 444,
      outTimeMs: 0,
      speed: null,
      ended: false,
    })
  })

  it('says when it was the last', () => {
    expect(parseProgress(SECOND.replace('=continue', '=end'))).toEqual({ ...second, ended: true })
  })

  it('reads the padding and the exponents that ffmpeg writes', () => {
    const text = SECOND.replace('19635.0kbits/s', ' 609.1kbits/s').replace('0.839x', '1.2e+03x')
    expect(parseProgress(text)).toMatchObject({ bitrateKbps: 609.1, speed: 1200 })
  })

  it('is read from a file that was emptied under ffmpeg, which then starts with NULs', () => {
    expect(parseProgress('\0'.repeat(5000) + SECOND)).toEqual(second)
    expect(parseProgress(`${FIRST}\0\0${SECOND}`)).toEqual(second)
  })

  it.each([
    ['bitrate=19635.0kbits/s', 'bitrate=19635.0', { bitrateKbps: null }],
    ['bitrate=19635.0kbits/s', 'bitrate=x19635.0kbits/s', { bitrateKbps: null }],
    ['total_size=10995602', 'total_size=10995602B', { totalBytes: null }],
    ['total_size=10995602', 'total_size=N/A', { totalBytes: null }],
    ['out_time_us=4480000', 'out_time_us=-21333', { outTimeMs: -21 }],
    ['out_time_us=4480000', 'out_time_us=N/A', { outTimeMs: null }],
    ['speed=0.839x', 'speed=12x', { speed: 12 }],
    ['speed=0.839x', 'speed=1.5e-02x', { speed: 0.015 }],
    ['drop_frames=0', 'a line of its own', {}],
  ])('with %s as %s', (was, is, change) => {
    expect(parseProgress(SECOND.replace(was, is))).toEqual({ ...second, ...change })
  })

  it('is null without its rate', () => {
    expect(parseProgress(SECOND.replace('fps=25.09', 'fps=fast'))).toBeNull()
  })

  it('may have Windows line ends', () => {
    expect(parseProgress((FIRST + SECOND).replaceAll('\n', '\r\n'))).toEqual(second)
  })

  it('is not closed by a word within a line', () => {
    expect(parseProgress(`${FIRST}${SECOND}title=progress=end\n`)).toEqual(second)
    expect(parseProgress(`${FIRST}${SECOND}progress=ending\n`)).toEqual(second)
  })

  it('does not count a block before it is closed', () => {
    expect(parseProgress(FIRST + SECOND.slice(0, -1))).toEqual(parseProgress(FIRST))
    expect(parseProgress(SECOND.slice(0, -1))).toBeNull()
  })

  it('does not count a block whose beginning is missing', () => {
    expect(parseProgress(SECOND.slice(1))).toBeNull()
    expect(parseProgress(SECOND.slice(SECOND.indexOf('fps')))).toBeNull()
  })

  it('counts a whole block behind the rest of one that was cut', () => {
    expect(parseProgress(`ontinue\n${SECOND}`)).toEqual(second)
    expect(parseProgress(FIRST.slice(FIRST.indexOf('speed')) + SECOND)).toEqual(second)
  })

  it('does not mix two blocks that ran into each other', () => {
    expect(parseProgress(FIRST.replace('progress=continue\n', '') + SECOND)).toBeNull()
  })

  it.each(['', '\n', '\0\0\0', 'progress=continue\n', 'no such thing', 'frame=x\nfps=1.0\nprogress=continue\n'])(
    'is null for %j',
    (text) => {
      expect(parseProgress(text)).toBeNull()
    },
  )
})

describe('a file cut anywhere', () => {
  /** Every value of a block tells its number, so that a mixture of two would show. */
  const block = (n: number, last: boolean) =>
    `frame=${n}\nfps=${n}.00\nstream_0_0_q=-1.0\nbitrate=${n}.0kbits/s\ntotal_size=${n}\nout_time_us=${n}000\n` +
    `out_time_ms=${n}000\nout_time=00:00:00.000000\ndup_frames=0\ndrop_frames=0\nspeed=${n}x\n` +
    `progress=${last ? 'end' : 'continue'}\n`

  it('gives the newest whole block or nothing, never a mixture', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 99_999 }), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.nat(),
        fc.nat({ max: 9 }),
        (numbers, a, b, nuls) => {
          const blocks = numbers.map((n, i) => block(n, i === numbers.length - 1))
          const whole = blocks.join('')
          const from = a % (whole.length + 1)
          const to = from + (b % (whole.length + 1 - from))
          let end = 0
          const contained = blocks.flatMap((text, i) => {
            const start = end
            end += text.length
            return start >= from && end <= to ? [i] : []
          })
          const progress = parseProgress('\0'.repeat(nuls) + whole.slice(from, to))
          const newest = contained.at(-1)
          if (newest === undefined) {
            expect(progress).toBeNull()
            return
          }
          const n = numbers[newest]
          expect(progress).toEqual({
            frame: n,
            fps: n,
            bitrateKbps: n,
            totalBytes: n,
            outTimeMs: n,
            speed: n,
            ended: newest === numbers.length - 1,
          })
        },
      ),
      { numRuns: 3000 },
    )
  })
})

describe('the size of the output', () => {
  /** ffmpeg 7.1 while it copies sound alone. */
  const SOUND = 'bitrate= 128.1kbits/s\ntotal_size=16044\nout_time_us=1002000\nspeed=1x\nprogress=continue\n'

  it('is the newest that stands there whole, with or without a picture', () => {
    expect(writtenBytes(SOUND)).toBe(16044)
    expect(writtenBytes(FIRST + SECOND)).toBe(10995602)
    expect(writtenBytes(`${FIRST + SECOND}frame=200\ntotal_size=2000`)).toBe(10995602)
    expect(writtenBytes(SECOND.slice(0, SECOND.indexOf('total_size=') + 14))).toBeNull()
    expect(writtenBytes('bitrate=N/A\ntotal_size=N/A\n')).toBeNull()
    expect(writtenBytes('')).toBeNull()
  })
})
