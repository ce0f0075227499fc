import { describe, expect, it } from 'vitest'
import { parseRtmpStat } from './rtmp-stat.ts'

const page = (streams: string) => `<?xml version="1.0" encoding="utf-8" ?>
<?xml-stylesheet type="text/xsl" href="stat.xsl" ?>
<rtmp><nginx_version>1.22.1</nginx_version><server>
<application><name>live</name><live>${streams}<nclients>0</nclients></live></application>
</server></rtmp>`

const stream = (
  name: string,
  clients: string,
) => `<stream><name>${name}</name><time>5000</time><bytes_in>1234</bytes_in>
${clients}
<meta><video><width>320</width><height>180</height><codec>H264</codec></video><audio><codec>AAC</codec></audio></meta>
<nclients>1</nclients><publishing/><active/></stream>`

const client = (id: number, more: string) =>
  `<client><id>${id}</id><address>127.0.0.1</address><time>4800</time><timestamp>4760</timestamp>${more}<active/></client>`

describe('the stat page of nginx-rtmp', () => {
  it('has no publisher when no stream runs', () => {
    expect(parseRtmpStat(page(''))).toEqual([])
  })

  it('tells the publisher from those who watch', () => {
    const xml = page(stream('0012', client(7, '') + client(8, '<publishing/>')))
    expect(parseRtmpStat(xml)).toEqual([
      {
        app: 'live',
        name: '0012',
        id: 8,
        address: '127.0.0.1',
        bytesIn: 1234,
        timeMs: 4800,
        timestampMs: 4760,
        videoCodec: 'H264',
        audioCodec: 'AAC',
        width: 320,
        height: 180,
      },
    ])
  })

  it('knows no codec before the first packets', () => {
    const xml = page(`<stream><name>a</name><bytes_in>0</bytes_in>${client(1, '<publishing/>')}</stream>`)
    expect(parseRtmpStat(xml)[0]).toMatchObject({ name: 'a', videoCodec: null, audioCodec: null, width: null })
  })
})
