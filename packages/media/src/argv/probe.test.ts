import { describe, expect, it } from 'vitest'
import { packetProbeArgs, probeArgs } from './probe.ts'

describe.each([
  ['probing a file', probeArgs],
  ['listing its packets', (path: string) => packetProbeArgs(path)],
])('%s', (_name, argsFor) => {
  it('opens nothing but this file, and only as a container that holds its own media', () => {
    const line = argsFor('-x:/upload.mp4').join(' ')
    expect(line).toContain('-protocol_whitelist file -format_whitelist mov,matroska,mpegts,flv,avi ')
    expect(line).toMatch(/ -i file:-x:\/upload\.mp4$/)
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
