import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edgeScan, edgesIn } from './edges.ts'
import { parseAnswer } from './probe.ts'

const PICTURE = 0
const SOUND = 1
function scanned(lines: readonly string[]) {
  const scan = edgeScan(PICTURE, SOUND)
  for (const line of lines) scan.line(line)
  return scan.edges()
}

describe('the edges of a file', () => {
  it('are where its picture and its sound begin, and its last packets in the order of the file', () => {
    const lines = [
      '0,0.080000,0.000000,0.040000,100,K_',
      '1,-0.021333,-0.021333,0.021333,100,KD,',
      '',
      '1,0.000000,0.000000,0.021333,100,K_',
    ]
    expect(scanned(lines)).toEqual({
      pictureStart: 0.08,
      soundStart: -0.021333,
      soundPackets: 2,
      tail: [
        { isPicture: true, pts: 0.08, dts: 0, seconds: 0.04, isKey: true },
        { isPicture: false, pts: -0.021333, dts: -0.021333, seconds: 0.021333, isKey: true },
        { isPicture: false, pts: 0, dts: 0, seconds: 0.021333, isKey: true },
      ],
    })
  })

  it('leave out covers, subtitles and whatever else there is', () => {
    const found = scanned([
      '2,0.000000,0.000000,9.000000,100,K_',
      '0,0.000000,0.000000,0.040000,100,K_',
      '1,0.000000,0.000000,0.021333,100,K_',
    ])
    expect(found?.tail).toHaveLength(2)
  })

  it.each([
    ['without sound', ['0,0.000000,0.000000,0.040000,100,K_']],
    ['without a picture', ['1,0.000000,0.000000,0.021333,100,K_']],
    ['with a packet that has no time', ['0,0.000000,0.000000,0.040000,100,K_', '1,N/A,N/A,0.021333,100,K_']],
    ['empty', []],
  ])('are not known of a file %s', (_name, lines) => {
    expect(scanned(lines)).toBeNull()
  })

  it('take no more memory for a long file than for a short one', () => {
    const scan = edgeScan(PICTURE, SOUND)
    for (let frame = 0; frame < 200_000; frame++) {
      scan.line(`0,${frame / 25},${frame / 25},0.040000,100,__`)
      scan.line(`1,${frame / 25},${frame / 25},0.040000,100,K_`)
    }
    const found = scan.edges()
    expect(found).toMatchObject({ pictureStart: 0, soundStart: 0, soundPackets: 200_000 })
    expect(found?.tail.length).toBe(2 * 20 * 25)
  })

  it('are not known of a file that has thousands of packets in one moment', () => {
    expect(scanned(Array.from({ length: 30_000 }, () => '0,1.000000,1.000000,0.000000,100,__'))).toBeNull()
  })

  it('are read out of any text without a fault', () => {
    fc.assert(fc.property(fc.array(fc.string()), (lines) => void scanned(lines)))
  })
})

describe('the edges in the answer to an inspection', () => {
  const packet = (stream_index: number, at: string, flags = 'K_') => ({
    ...{ stream_index, pts_time: at, dts_time: at, duration_time: '0.040000', flags },
  })
  it('are the same as line by line', () => {
    const packets = [packet(0, '0.000000'), packet(1, '0.000000'), packet(0, '0.040000', '__')]
    expect(edgesIn({ streams: [], packets }, PICTURE, SOUND)).toEqual(
      scanned([
        '0,0.000000,0.000000,0.040000,100,K_',
        '1,0.000000,0.000000,0.040000,100,K_',
        '0,0.040000,0.040000,0.040000,100,__',
      ]),
    )
  })
  it.each(['', '{}', '{"packets":7}', '{"packets":[]}', '{"packets":[{}]}', '{"packets":[null,7,"x"]}', '7', 'null'])(
    'are not in %s',
    (answer) => {
      expect(edgesIn(parseAnswer(answer), PICTURE, SOUND)).toBeNull()
    },
  )
})
