import { describe, expect, it } from 'vitest'
import { joinArgs, joinedListLines, keyframeMarksArgs, parseKeyframeMarks, segmentArgs } from './recording.ts'

const after = (args: readonly string[], name: string): (string | undefined)[] =>
  args.flatMap((arg, index) => (arg === name ? [args[index + 1]] : []))

describe('key frames of a file', () => {
  it('are asked for all at once, by seeking', () => {
    const args = keyframeMarksArgs('/m/a b.mp4', [0, 10, 20.5])
    expect(after(args, '-read_intervals')).toEqual(['0.000%+#1,10.000%+#1,20.500%+#1'])
    expect(after(args, '-i')).toEqual(['file:/m/a b.mp4'])
  })

  it('are each known once, in order; what is no key frame, or has no time, is none', () => {
    const csv =
      '10.000000,9.920000,K_\n0.000000,-0.080000,K_,\n\n10.000000,9.920000,K_\n4.0,3.9,__\nN/A,N/A,K_\n20.0,N/A,K_\n'
    expect(parseKeyframeMarks(csv)).toEqual([
      { shown: 0, decoded: -0.08 },
      { shown: 10, decoded: 9.92 },
      { shown: 20, decoded: 20 },
    ])
  })
})

describe('a segment', () => {
  it('ends for picture and sound at moments of their own', () => {
    const args = segmentArgs({ path: '/m/a.mp4', from: 10, videoTo: 19.92, audioTo: 20, clock: 20 })
    expect(after(args, '-ss')).toEqual(['10.000400', '10.000400'])
    expect(after(args, '-t')).toEqual(['9.919200', '9.999200'])
    expect(after(args, '-output_ts_offset')).toEqual(['20.000400'])
    expect(after(args, '-copypriorss:a')).toEqual(['0'])
  })

  it('of a whole file leaves nothing out', () => {
    const args = segmentArgs({ path: '/m/a.mp4', from: null, videoTo: null, audioTo: null, clock: 10 })
    expect(['-ss', '-t', '-copypriorss:a'].filter((name) => args.includes(name))).toEqual([])
    expect(after(args, '-protocol_whitelist')).toEqual(['file', 'file'])
  })
})

describe('one file of many', () => {
  it('names each with what is played of it, and nothing but files of this machine', () => {
    const lines = [
      ...joinedListLines([
        { path: "/m/it's.mp4", inpoint: 4, outpoint: null, seconds: 8 },
        { path: '/m/b.mp4', inpoint: null, outpoint: 3.5, seconds: 3.5 },
      ]),
    ]
    expect(lines).toEqual([
      'ffconcat version 1.0\n',
      "file 'file:/m/it'\\''s.mp4'\noption protocol_whitelist file\noption format_whitelist mov,matroska,mpegts,flv\ninpoint 4.000400\nduration 8.000000\n",
      "file 'file:/m/b.mp4'\noption protocol_whitelist file\noption format_whitelist mov,matroska,mpegts,flv\noutpoint 3.500000\nduration 3.500000\n",
    ])
    expect(() => [...joinedListLines([{ path: '/m/a\nfile b', inpoint: null, outpoint: null, seconds: 1 }])]).toThrow()
  })

  it('can be taken while it is made, and is the same each time', () => {
    const args = joinArgs({ input: 'list', format: 'mp4', clock: 0, seconds: null, isAdts: false })
    expect(after(args, '-movflags')).toEqual(['+frag_keyframe+empty_moov+default_base_moof'])
    expect(after(args, '-fflags')).toEqual(['+bitexact'])
    expect(args.slice(-1)).toEqual(['pipe:1'])
    expect(after(args, '-t')).toEqual([])
  })

  it('is MPEG-TS where files are not alike, with a clock that goes on', () => {
    const args = joinArgs({ input: 'mpegts', format: 'mpegts', clock: 42, seconds: 7, isAdts: true })
    expect(after(args, '-output_ts_offset')).toEqual(['42.000000'])
    expect(after(args, '-t')).toEqual(['7.000'])
    expect(after(args, '-f')).toEqual(['mpegts', 'mpegts'])
    expect(after(args, '-protocol_whitelist')).toEqual(['pipe'])
    expect(after(args, '-bsf:a')).toEqual([])
  })

  it('of MPEG-TS takes the heads off its sound, and waits for it before it tells what it is', () => {
    const args = joinArgs({ input: 'mpegts', format: 'mp4', clock: 0, seconds: null, isAdts: true })
    expect(after(args, '-bsf:a')).toEqual(['aac_adtstoasc'])
    expect(after(args, '-movflags')).toEqual(['+frag_keyframe+delay_moov+default_base_moof'])
  })
})
