import { expect, it } from 'vitest'
import { DECODER_LIMITS } from './input.ts'
import { parameterSetArgs } from './parameter-sets.ts'

it('copies nothing but the sequence parameter sets of the broadcast picture, and never endlessly', () => {
  expect(parameterSetArgs('-x:/upload.mp4').join(' ')).toBe(
    '-nostdin -hide_banner -loglevel error ' +
      `${DECODER_LIMITS.join(' ')} ` +
      '-protocol_whitelist file -format_whitelist mov,matroska,mpegts,flv,avi -i file:-x:/upload.mp4 ' +
      '-map 0:V:0 -c copy -bsf:v h264_mp4toannexb,filter_units=pass_types=7 -fs 4000000 -f h264 pipe:1',
  )
})
