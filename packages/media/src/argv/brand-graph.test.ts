import { describe, expect, it } from 'vitest'
import type { EncodePicture, PreparePlan } from '../prepare-plan.ts'
import { logoArgs } from './logo.ts'
import { prepareArgs } from './prepare.ts'

const picture: EncodePicture = {
  ...{ kind: 'encode', width: 1280, height: 720, fps: '30/1', frames: 300, kbps: 2800, firstFill: null },
  ...{ inner: { width: 1280, height: 720 }, deinterlace: 'no', hdrTransfer: null, matrix: 'bt709' },
}
const plan: PreparePlan = {
  ...{ durationSeconds: 10, pictureStartsAt: 0, audioTrack: 0, incomplete: false, audioSamples: 479_232 },
  picture,
}
const upright: EncodePicture = { ...picture, width: 720, height: 1280, inner: { width: 720, height: 404 } }
const overlay = { x: 1000, y: 26, width: 256, height: 128, opacity: 1 }

const args = (change: Partial<EncodePicture>, more: Partial<PreparePlan> = {}, overlays: string[] = []) =>
  prepareArgs(
    { ...plan, ...more, picture: { ...picture, ...change } },
    { input: '/d/in.mp4', output: '/d/out.mp4', progressTo: 'pipe:1', overlays },
  )
const graph = (change: Partial<EncodePicture>, more: Partial<PreparePlan> = {}) => {
  const all = args(change, more)
  return all[all.indexOf('-filter_complex') + 1] ?? ''
}
const OWN =
  'setpts=PTS-(0.000000)/TB,fps=30/1:start_time=0,tpad=stop_mode=clone:stop_duration=2,trim=end_frame=300,' +
  'scale=1280:720:in_color_matrix=bt709:out_color_matrix=bt709:out_range=tv,format=yuv420p'
const TAGS = 'setsar=1,setparams=field_mode=prog:range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709'
const IMAGE =
  'format=gbrap,premultiply=inplace=1,scale=256:128:flags=area,unpremultiply=inplace=1,' +
  'scale=out_color_matrix=bt709:out_range=tv,format=yuva420p[image0]'

describe('[BRAND-01] the command that puts a logo on a video', () => {
  it('changes the picture after everything else was done to it, and nothing besides', () => {
    expect(graph({ overlays: [overlay] })).toBe(
      `[0:V:0]${OWN},${TAGS}[base];[1:v:0]${IMAGE};[base][image0]overlay=1000:26:format=yuv420:eof_action=repeat[picture]`,
    )
    const [plain, branded] = [args({}), args({ overlays: [overlay] }, {}, ['/d/-logo:1.png'])]
    const inputs = '-protocol_whitelist file -codec_whitelist png -f png_pipe -i file:/d/-logo:1.png'
    expect(branded.join(' ')).toContain(`file:/d/in.mp4 ${inputs} -map [picture] -map 0:a:0`)
    // How it is encoded, and so how it loops, is the same.
    const encoding = (all: string[]) => all.slice(all.indexOf('-c:v', all.indexOf('-map')))
    expect(encoding(branded)).toEqual(encoding(plain))
  })

  it('counts its inputs behind the silence that is made', () => {
    expect(graph({ overlays: [overlay] }, { audioTrack: null })).toContain('[2:v:0]format=gbrap')
  })

  it('makes it as transparent as was asked for, and puts several above each other', () => {
    const made = graph({ overlays: [overlay, { ...overlay, x: 0, opacity: 0.5 }] })
    expect(made).toContain('unpremultiply=inplace=1,format=rgba,colorchannelmixer=aa=0.50,scale=')
    expect(made).toContain('[base][image0]overlay=1000:26:format=yuv420:eof_action=repeat[base1]')
    expect(made).toContain('[base1][image1]overlay=0:26:format=yuv420:eof_action=repeat[picture]')
  })

  it('leaves a video without a brand as it was', () => {
    expect(args({}).join(' ')).toContain('-map 0:V:0 -map 0:a:0')
    expect(args({ overlays: [] })).toEqual(args({}))
  })
})

describe('[BRAND-03] the command that puts a video into another shape', () => {
  it('blurs the video behind itself', () => {
    const made = graph({ ...upright, fill: { kind: 'blur' } })
    expect(made).toContain(
      'split[inner][behind];[behind]crop=228:404,scale=180:320,boxblur=lr=11:lp=2:cr=11:cp=2,scale=720:1280,setsar=1[back];' +
        `[inner]setsar=1[front];[back][front]overlay=0:438:format=yuv420,${TAGS}[picture]`,
    )
  })

  it('puts colour around it', () => {
    const made = graph({ ...upright, fill: { kind: 'bars', colour: '#12ab34' } })
    expect(made).toContain('pad=720:1280:0:438:black')
    expect(made).toContain('color=c=0x12ab34:s=720x438:r=1,format=rgb24,trim=end_frame=1')
    expect(made).toContain('[base][bar0]overlay=0:0:')
    expect(made).toContain('[base1][bar1]overlay=0:842:')
    expect(graph({ ...upright, fill: { kind: 'bars', colour: '#000000' } })).not.toContain('color=')
  })

  it('keeps the part that was chosen', () => {
    const fill = { kind: 'crop', width: 0.316406, height: 1, focus: 0.25 } as const
    const made = graph({ ...upright, inner: { width: 720, height: 1280 }, fill })
    expect(made).toContain('crop=iw*0.316406:ih*1.000000:(iw-ow)*0.2500:(ih-oh)*0.2500,scale=720:1280:')
    expect(made).not.toContain(',pad=')
  })
})

describe('[BRAND-01] the command that makes a logo our own', () => {
  it('reads one kind of file alone, from a file alone', () => {
    const png = logoArgs({ input: '/d/a.png', output: '/d/b.png', isSvg: false }).join(' ')
    expect(png).toContain(
      '-codec_whitelist png -protocol_whitelist file -format_whitelist png_pipe -f png_pipe -i file:/d/a.png',
    )
    expect(logoArgs({ input: '/d/a.svg', output: '/d/b.png', isSvg: true }).join(' ')).toContain(
      '-width 1280 -height 1280 -max_alloc 134217728 -codec_whitelist librsvg -protocol_whitelist file ' +
        '-format_whitelist svg_pipe -f svg_pipe -i file:/d/a.svg -frames:v 1',
    )
  })
})
