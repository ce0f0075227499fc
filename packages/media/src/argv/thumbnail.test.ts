import { expect, it } from 'vitest'
import { DECODER_LIMITS } from './input.ts'
import { thumbnailArgs } from './thumbnail.ts'

it('takes one picture of the moment, at most 480 wide and even', () => {
  expect(thumbnailArgs({ input: '/data/-m.mp4', atSeconds: 2.5, output: '/data/t.jpg' }).join(' ')).toBe(
    '-nostdin -hide_banner -nostats -loglevel error -y -ss 2.500 ' +
      `${DECODER_LIMITS.join(' ')} ` +
      '-protocol_whitelist file -format_whitelist mov,matroska,mpegts,flv,avi -i file:/data/-m.mp4 ' +
      "-map 0:V:0 -frames:v 1 -map_metadata -1 -vf scale=w='min(480,trunc(iw*sar/2)*2)':h=-2,setsar=1,format=yuvj420p " +
      '-c:v mjpeg -q:v 4 -f image2 -update 1 file:/data/t.jpg',
  )
})

it('never seeks before the beginning', () => {
  expect(thumbnailArgs({ input: 'a', atSeconds: -1, output: 'b' })).toContain('0.000')
})
