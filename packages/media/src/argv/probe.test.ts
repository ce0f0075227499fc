import { describe, expect, it } from 'vitest'
import { DECODERS } from './decoders.ts'
import { durationArgs, edgeProbeArgs, keyframesFromArgs, packetProbeArgs, probeArgs } from './probe.ts'

describe.each([
  ['probing a file', probeArgs],
  ['listing its packets', (path: string) => packetProbeArgs(path)],
  ['finding a key frame', (path: string) => keyframesFromArgs(path, 2)],
  ['asking for its length', durationArgs],
  ['reading its edges', (path: string) => edgeProbeArgs(path, 60)],
])('%s', (_name, argsFor) => {
  it('opens nothing but this file, and only as a container that holds its own media', () => {
    const line = argsFor('-x:/upload.mp4').join(' ')
    expect(line).toMatch(/^-v error -hide_banner -protocol_whitelist /)
    expect(line).toContain('-protocol_whitelist file -format_whitelist mov,matroska,mpegts,flv,avi ')
    expect(line).toMatch(/ -i file:-x:\/upload\.mp4$/)
  })

  it('decodes no picture beyond 8K, takes no huge piece of memory, and uses no decoder that nobody needs', () => {
    expect(argsFor('a.mp4').join(' ')).toContain(
      `-max_alloc 402653184 -max_pixels 37748736 -codec_whitelist ${DECODERS} `,
    )
    expect(DECODERS).toMatch(/^[\w-]+(,[\w-]+)+$/)
  })

  it('is bounded in what it reads to find out', () => {
    expect(argsFor('a.mp4').join(' ')).toContain('-analyzeduration 10000000 -probesize 20000000')
  })
})

describe('listing packets', () => {
  it('reads the whole file, or as many seconds as asked', () => {
    expect(packetProbeArgs('a.mp4')).not.toContain('-read_intervals')
    expect(packetProbeArgs('a.mp4', 600).join(' ')).toContain('-read_intervals %+600 ')
  })

  it('takes the stream that a broadcast maps', () => {
    expect(packetProbeArgs('a.mp4').join(' ')).toContain('-select_streams V:0')
  })
})

describe('what each asks for', () => {
  const asked = (args: string[]) => args.slice(args.indexOf('-probesize') + 2, args.indexOf('-i')).join(' ')

  it('of a packet is what parseKeyframes reads, in its order', () => {
    expect(asked(packetProbeArgs('a.mp4'))).toBe(
      '-select_streams V:0 -show_entries packet=pts_time,dts_time,duration_time,size,flags -of csv=p=0',
    )
  })

  it('of key frames are the packets from the one at or before the moment on', () => {
    expect(asked(keyframesFromArgs('a.mp4', 12.3456))).toBe(
      '-select_streams V:0 -show_entries packet=pts_time,flags -read_intervals 12.346%+#150 -of csv=p=0',
    )
  })

  it('of a length is the figure alone', () => {
    expect(asked(durationArgs('a.mp4'))).toBe('-show_entries format=duration -of csv=p=0')
  })

  it('of a file is JSON without its tags, which are the text of whoever uploaded it', () => {
    const args = probeArgs('a.mp4')
    expect(asked(args)).toMatch(/^-show_entries \S+ -of json=c=1$/)
    const groups = (args[args.indexOf('-show_entries') + 1] ?? '').split(':').map((group) => group.split('=')[0])
    expect(groups).toEqual(['format', 'stream', 'stream_disposition', 'stream_side_data'])
  })
})

describe('reading the edges of a file', () => {
  it('reads its beginning and its end, and a short one whole', () => {
    expect(edgeProbeArgs('a.mp4', 3_600).join(' ')).toContain('-read_intervals %+2,3588.000% ')
    expect(edgeProbeArgs('a.mp4', 14)).not.toContain('-read_intervals')
    expect(edgeProbeArgs('a.mp4', null)).not.toContain('-read_intervals')
  })
})
