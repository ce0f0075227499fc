import { describe, expect, it } from 'vitest'
import type { EncodePicture, PreparePlan } from '../prepare-plan.ts'
import { DECODER_LIMITS } from './input.ts'
import { prepareArgs, sampleArgs } from './prepare.ts'

const copying: PreparePlan = {
  durationSeconds: 10,
  picture: { kind: 'copy', timescale: 90_000 },
  pictureStartsAt: 0.021333,
  audioTrack: 0,
  incomplete: false,
  audioSamples: 479_232,
}
const picture: EncodePicture = {
  ...{ kind: 'encode', width: 1920, height: 1080, fps: '30000/1001', frames: 300, kbps: 4500, firstFill: null },
  ...{ inner: { width: 1920, height: 1080 }, deinterlace: 'no', hdrTransfer: null, matrix: 'bt709' },
}
const encoding: PreparePlan = { ...copying, picture, pictureStartsAt: 0 }
const paths = { input: '/data/in.ts', output: '/data/out.mp4', progressTo: 'pipe:1' } as const

const line = (plan: PreparePlan) => prepareArgs(plan, paths).join(' ')
const optionOf = (plan: PreparePlan, option: string) => {
  const args = prepareArgs(plan, paths)
  return args[args.indexOf(option) + 1]
}
const filters = (change: Partial<EncodePicture>) => optionOf({ ...encoding, picture: { ...picture, ...change } }, '-vf')

describe('the command that gives a video new sound', () => {
  it('is this one', () => {
    expect(line(copying)).toBe(
      '-nostdin -hide_banner -nostats -loglevel error -progress pipe:1 -stats_period 1 -y ' +
        `${DECODER_LIMITS.join(' ')} ` +
        '-protocol_whitelist file -format_whitelist mov,matroska,mpegts,flv,avi -i file:/data/in.ts ' +
        '-map 0:V:0 -map 0:a:0 -map_metadata -1 -map_chapters -1 ' +
        '-c:v copy -bsf:v setts=pts=PTS-STARTPTS:dts=DTS-STARTPTS -video_track_timescale 90000 ' +
        '-af asetpts=PTS-(0.021333)/TB,aresample=48000:async=1:first_pts=0,' +
        'aformat=sample_fmts=fltp:channel_layouts=stereo,apad,' +
        'atrim=start_sample=1024:end_sample=479232,asetpts=PTS-STARTPTS ' +
        '-c:a aac -b:a 160k -ar 48000 -ac 2 -bsf:a setts=ts=TS+1024 ' +
        '-max_muxing_queue_size 8192 -movflags +faststart -f mp4 file:/data/out.mp4',
    )
  })

  it('takes the audio track of the plan', () => {
    expect(line({ ...copying, audioTrack: 2 })).toContain('-map 0:a:2')
  })

  it('makes silence where there is no sound, of the same length', () => {
    const silent = line({ ...copying, audioTrack: null })
    expect(silent).toContain('-i file:/data/in.ts -f lavfi -i anullsrc=r=48000:cl=stereo -map 0:V:0 -map 1:a:0')
    expect(silent).toContain('-af apad,atrim=start_sample=1024:end_sample=479232,asetpts=PTS-STARTPTS ')
  })

  it('does without a clock that is not known', () => {
    expect(line({ ...copying, picture: { kind: 'copy', timescale: null } })).toContain(
      '-bsf:v setts=pts=PTS-STARTPTS:dts=DTS-STARTPTS -af ',
    )
  })

  it('shifts by a number that an expression can read', () => {
    expect(line({ ...copying, pictureStartsAt: -1e-7 })).toContain('asetpts=PTS-(-0.000000)/TB')
  })
})

describe('the command that makes a video anew', () => {
  it('is this one', () => {
    expect(line(encoding)).toBe(
      '-nostdin -hide_banner -nostats -loglevel error -progress pipe:1 -stats_period 1 -y ' +
        `${DECODER_LIMITS.join(' ')} ` +
        '-protocol_whitelist file -format_whitelist mov,matroska,mpegts,flv,avi -i file:/data/in.ts ' +
        '-map 0:V:0 -map 0:a:0 -map_metadata -1 -map_chapters -1 ' +
        '-vf setpts=PTS-(0.000000)/TB,fps=30000/1001:start_time=0,tpad=stop_mode=clone:stop_duration=2,' +
        'trim=end_frame=300,scale=1920:1080:in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv,' +
        'format=yuv420p,setsar=1,' +
        'setparams=field_mode=prog:range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709 ' +
        '-c:v libx264 -preset veryfast -profile:v high -bf 2 ' +
        '-g 60 -keyint_min 60 -sc_threshold 0 -flags +cgop -b:v 4500k -maxrate 4500k -bufsize 6750k ' +
        '-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv ' +
        '-af asetpts=PTS-(0.000000)/TB,aresample=48000:async=1:first_pts=0,' +
        'aformat=sample_fmts=fltp:channel_layouts=stereo,apad,' +
        'atrim=start_sample=1024:end_sample=479232,asetpts=PTS-STARTPTS ' +
        '-c:a aac -b:a 160k -ar 48000 -ac 2 -bsf:a setts=ts=TS+1024 ' +
        '-max_muxing_queue_size 8192 -movflags +faststart -f mp4 file:/data/out.mp4',
    )
  })

  it('takes the fields apart before anything else', () => {
    expect(filters({ deinterlace: 'every-frame' })).toMatch(/^yadif=deint=all,/)
    expect(filters({ deinterlace: 'flagged-frames' })).toMatch(/^yadif=deint=interlaced,/)
    expect(filters({})).not.toContain('yadif')
  })

  it.each(['smpte2084', 'arib-std-b67'] as const)('maps the tones of %s, whatever else the file tags', (transfer) => {
    const chain = filters({ hdrTransfer: transfer })
    expect(chain).toContain(
      `setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc,zscale=t=linear`,
    )
    expect(chain).toContain(
      'trim=end_frame=300,scale=1920:1080,setparams=color_primaries=bt2020:' +
        `color_trc=${transfer}:colorspace=bt2020nc,zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,` +
        'tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p,setsar=1,',
    )
    expect(chain).not.toContain('in_color_matrix')
  })

  it('leaves out the packet through which a file was cut', () => {
    expect(line({ ...encoding, incomplete: true })).toContain('-fflags +discardcorrupt -protocol_whitelist')
    expect(line(encoding)).not.toContain('discardcorrupt')
  })
})

describe.each([
  ['copying', copying],
  ['encoding', encoding],
])('when %s', (_name, plan) => {
  it.each(['-i.mp4', 'http:x.mp4', '/data/a b:c.mp4'])('takes the path %s for a file', (path) => {
    const args = prepareArgs(plan, { input: path, output: path, progressTo: 'pipe:1' })
    expect(args[args.indexOf('-i') + 1]).toBe(`file:${path}`)
    expect(args.at(-1)).toBe(`file:${path}`)
  })
})

describe('the command of a recipe', () => {
  it('puts bars around a picture of another shape, by whole colours', () => {
    expect(filters({ inner: { width: 608, height: 1080 } })).toContain(
      'scale=608:1080:in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv,format=yuv420p,pad=1920:1080:656:0:black,setsar=1',
    )
    expect(filters({ inner: { width: 1918, height: 1080 } })).toContain('pad=1920:1080:0:0:black')
  })

  it('has none where the picture fills it', () => {
    expect(filters({})).not.toContain('pad=1920')
  })

  it('begins with little in its buffer where that would be much of the whole', () => {
    const short = { ...encoding, picture: { ...picture, firstFill: 0.1 } }
    expect(line(short)).toContain(' -bufsize 6750k -rc_init_occupancy 675k ')
    expect(line(encoding)).not.toContain('rc_init_occupancy')
  })

  it('makes a sample by the same settings as any master of it', () => {
    const recipe = { width: 1920, height: 1080, fps: '30000/1001', kbps: 4500 }
    const made = sampleArgs(recipe, '/data/out.mp4').join(' ')
    const encoder = / -c:v libx264 .*? -color_range tv /.exec(line(encoding))?.[0] ?? expect.unreachable()
    expect(made).toContain(encoder)
    expect(made).toContain('-f lavfi -i color=black:size=1920x1080:rate=30000/1001 -f lavfi -i anullsrc')
    expect(made).toContain('trim=end_frame=12')
  })
})
