import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseProbe } from './probe.ts'

/** ffprobe 5.1.9 on an MP4 with a display matrix, with the arguments of probeArgs; white-space taken out. */
const ROTATED_MP4 = `{"programs":[],"streams":[
{"index":0,"codec_name":"h264","profile":"Constrained Baseline","codec_type":"video","width":640,"height":360,"sample_aspect_ratio":"1:1",
"pix_fmt":"yuv420p","level":30,"color_space":"bt709","field_order":"progressive","r_frame_rate":"30/1","avg_frame_rate":"30/1",
"time_base":"1/15360","start_time":"0.000000","duration":"8.000000","nb_frames":"240","disposition":{"default":1,"attached_pic":0},"side_data_list":[{"side_data_type":"Display Matrix","rotation":90}]},
{"index":1,"codec_name":"aac","profile":"LC","codec_type":"audio","sample_rate":"48000","channels":2,"r_frame_rate":"0/0",
"avg_frame_rate":"0/0","start_time":"0.000000","duration":"8.000000","nb_frames":"376","disposition":{"attached_pic":0}}],
"format":{"format_name":"mov,mp4,m4a,3gp,3g2,mj2","start_time":"0.000000","duration":"8.000000","bit_rate":"609327"}}`

/** The same of an MPEG-TS: it lists its streams twice, and starts late. */
const MPEG_TS = `{"programs":[{"streams":[
{"codec_name":"h264","codec_type":"video"},{"codec_name":"aac","codec_type":"audio"}]}],"streams":[
{"codec_name":"h264","profile":"Constrained Baseline","codec_type":"video","width":640,"height":360,"pix_fmt":"yuv420p","level":30,
"field_order":"progressive","r_frame_rate":"30/1","avg_frame_rate":"30/1","start_time":"1.421333","duration":"8.000000","disposition":{"attached_pic":0}},
{"codec_name":"aac","profile":"LC","codec_type":"audio","sample_rate":"48000","channels":2,"r_frame_rate":"0/0","avg_frame_rate":"0/0",
"start_time":"1.400000","duration":"7.872000","disposition":{"attached_pic":0}}],
"format":{"format_name":"mpegts","duration":"8.021333","bit_rate":"683625"}}`

const COVER = `{"codec_name":"mjpeg","profile":"Baseline","codec_type":"video","width":64,"height":64,"pix_fmt":"yuvj420p","level":-99,
"r_frame_rate":"90000/1","avg_frame_rate":"0/0","start_time":"0.000000","duration":"8.000000","disposition":{"attached_pic":1}}`

const withStreams = (...streams: string[]) => `{"streams":[${streams.join(',')}],"format":{"format_name":"mov"}}`

describe("reading ffprobe's answer", () => {
  it('takes what a broadcast needs to know', () => {
    expect(parseProbe(ROTATED_MP4)).toEqual({
      formatName: 'mov,mp4,m4a,3gp,3g2,mj2',
      startSeconds: 0,
      durationSeconds: 8,
      bitrate: 609327,
      video: {
        index: 0,
        codec: 'h264',
        profile: 'Constrained Baseline',
        level: 30,
        width: 640,
        height: 360,
        pixFmt: 'yuv420p',
        fieldOrder: 'progressive',
        rotation: 90,
        transfer: null,
        matrix: 'bt709',
        sampleAspect: '1:1',
        rFrameRate: '30/1',
        avgFrameRate: '30/1',
        timescale: 15360,
        startSeconds: 0,
        durationSeconds: 8,
        packets: 240,
      },
      audio: {
        index: 1,
        codec: 'aac',
        profile: 'LC',
        sampleRate: 48000,
        channels: 2,
        startSeconds: 0,
        durationSeconds: 8,
        packets: 376,
      },
      audioTrack: 0,
      audioTracks: 1,
      tracks: [
        { index: 0, codec: 'h264', isSound: false, isCover: false, packets: 240 },
        { index: 1, codec: 'aac', isSound: true, isCover: false, packets: 376 },
      ],
    })
  })

  it('counts the streams of an MPEG-TS once', () => {
    const probe = parseProbe(MPEG_TS)
    expect(probe?.audioTracks).toBe(1)
    expect(probe?.video).toMatchObject({ rotation: 0, startSeconds: 1.421333 })
    expect(probe?.audio).toMatchObject({ startSeconds: 1.4, durationSeconds: 7.872 })
  })

  it('does not take a cover picture for the video', () => {
    expect(parseProbe(withStreams(COVER))?.video).toBeNull()
    expect(parseProbe(withStreams(COVER, '{"codec_type":"video","codec_name":"h264"}'))?.video?.codec).toBe('h264')
  })

  it('lists every track with its packets, also those that are no picture and no sound', () => {
    const data = '{"index":3,"codec_type":"data","codec_name":"bin_data","nb_frames":"14000000"}'
    expect(parseProbe(withStreams(COVER, data))?.tracks).toMatchObject([
      { isCover: true, packets: null },
      { index: 3, codec: 'bin_data', isSound: false, isCover: false, packets: 14_000_000 },
    ])
  })

  it('takes the first audio track and counts them all', () => {
    const tracks = ['aac', 'mp3', 'ac3'].map((codec) => `{"codec_type":"audio","codec_name":"${codec}"}`)
    expect(parseProbe(withStreams(...tracks))).toMatchObject({ audioTracks: 3, audio: { codec: 'aac' } })
  })

  it('takes the audio track that is the default rather than the first', () => {
    const tracks = ['aac', 'mp3', 'ac3'].map(
      (codec, i) => `{"codec_type":"audio","codec_name":"${codec}","disposition":{"default":${i === 0 ? 0 : 1}}}`,
    )
    expect(parseProbe(withStreams(...tracks))).toMatchObject({ audioTrack: 1, audio: { codec: 'mp3' } })
  })

  it('has null for what it cannot read, and never a guess', () => {
    const odd = withStreams(`{"codec_type":"video","codec_name":"unknown","level":-99,"width":0,"height":"","pix_fmt":7,
      "field_order":"unknown","sample_aspect_ratio":"0:1","time_base":"0/1","r_frame_rate":"0/0","avg_frame_rate":"30","start_time":"N/A","duration":"0x10",
      "side_data_list":[{"side_data_type":"Display Matrix","rotation":"nan"}]}`)
    expect(Object.values(parseProbe(odd)?.video ?? { nothing: 'read' })).toEqual(Array(18).fill(null))
    expect(parseProbe(odd)).toMatchObject({ durationSeconds: null, bitrate: null })
  })

  it.each(['x8', '8x', '8.', '.5', '1e3', '-1', 'N/A'])('takes %s for no duration', (duration) => {
    const probe = parseProbe(`{"streams":[{"codec_type":"video","duration":"${duration}"}],"format":{}}`)
    expect(probe?.video?.durationSeconds).toBeNull()
  })

  it.each([
    ['r_frame_rate', 'rFrameRate', ['x30/1', '30/1x', '030/1', '30/01', '30/0']],
    ['sample_aspect_ratio', 'sampleAspect', ['x1:1', '1:1x', '01:1', '1:0']],
    ['time_base', 'timescale', ['x1/90000', '1/90000x', '2/90000', '1/0', '11/90000']],
    ['pix_fmt', 'pixFmt', ['', 'unknown', 'N/A']],
  ] as const)('takes no odd %s', (key, fact, values) => {
    for (const value of values) {
      const probe = parseProbe(withStreams(JSON.stringify({ codec_type: 'video', [key]: value })))
      expect(probe?.video?.[fact], value).toBeNull()
    }
  })

  it('reads decimals, zeros and times before the start', () => {
    const stream = { codec_type: 'video', start_time: '-0.5', duration: '0', width: '12.5', time_base: '1/90000' }
    expect(parseProbe(withStreams(JSON.stringify(stream)))?.video).toMatchObject({
      startSeconds: -0.5,
      durationSeconds: 0,
      width: 12.5,
      timescale: 90_000,
    })
  })

  it('passes over streams of no kind, and side data of no kind', () => {
    const video = '{"codec_type":"video","codec_name":"h264","side_data_list":"none","disposition":null}'
    expect(parseProbe(withStreams('null', '7', '[]', '{"codec_type":"data"}', video))).toMatchObject({
      video: { codec: 'h264', rotation: 0 },
      audio: null,
      audioTrack: 0,
      audioTracks: 0,
    })
  })

  it('reads a matrix that turns nothing as no rotation', () => {
    const still = (rotation: string) =>
      parseProbe(
        withStreams(`{"codec_type":"video","side_data_list":[null,{"side_data_type":"CPB properties"},
        {"side_data_type":"Display Matrix","rotation":${rotation}}]}`),
      )?.video?.rotation
    expect(still('-0')).toBe(0)
    expect(still('-90')).toBe(-90)
  })

  it.each(['', '{', 'null', '[]', '7', '{}', '{"streams":[]}', '{"format":{}}', '{"format":[],"streams":[]}'])(
    'is null for what is no answer: %s',
    (json) => {
      expect(parseProbe(json)).toBeNull()
    },
  )

  it('never throws, whatever the JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (streams, format) => {
        parseProbe(JSON.stringify({ streams, format }))
      }),
    )
  })
})
