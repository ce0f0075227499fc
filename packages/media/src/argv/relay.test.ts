import { describe, expect, it } from 'vitest'
import { asEncoded, type RelayPlan } from '../relay-plan.ts'
import { Secret } from '../secret.ts'
import { DECODER_LIMITS } from './input.ts'
import { flvSlave } from './output.ts'
import { recordOutput, recordSlave } from './record.ts'
import { type RelayRun, relayArgs, relayProbeArgs } from './relay.ts'

const source = new Secret('https://cdn.example/live/room.m3u8?leave=k3y')
const proxy = 'http://127.0.0.1:40123'
const encodedSize = { width: 1280, height: 720 }
const run: RelayRun = {
  streamId: '7',
  source,
  proxy,
  plan: { picture: { kind: 'copy' }, sound: 'copy', encodedSize },
  progressFile: '/data/run/7.progress',
  target: new Secret('rtmp://127.0.0.1:1935/live/key'),
  address: null,
}
const ONLINE_INPUT =
  '-protocol_whitelist http,tcp,crypto -format_whitelist hls,mpegts,mov,aac,mp3 ' +
  `${DECODER_LIMITS.join(' ')} ` +
  '-max_streams 64 -http_proxy http://127.0.0.1:40123 -headers Proxy-Share: 7\r\n -rw_timeout 10000000 ' +
  '-i http://cdn.example.tls.invalid:443/live/room.m3u8?leave=k3y'

const line = (plan: RelayPlan) => relayArgs({ ...run, plan }).join(' ')

describe('the command that sends an online source on', () => {
  it('is this one', () => {
    expect(line(run.plan)).toBe(
      '-nostdin -hide_banner -nostats -loglevel error -progress file:/data/run/7.progress -stats_period 1 ' +
        `-re ${ONLINE_INPUT} -map 0:V:0 -map 0:a:0 -c:v copy -c:a copy ` +
        '-flvflags no_duration_filesize -rw_timeout 10000000 -f flv rtmp://127.0.0.1:1935/live/key',
    )
  })

  it('reads nothing but the web, through the proxy, before it is told what to read', () => {
    const args = relayArgs(run)
    const before = args.slice(0, args.indexOf('-i'))
    expect(before).toContain('http,tcp,crypto')
    expect(before).toContain(proxy)
    expect(args.filter((arg) => arg.includes('https:'))).toEqual([])
  })

  it('makes a picture anew without half pictures, with a key frame every two seconds and a rate that holds', () => {
    expect(line({ ...run.plan, picture: { kind: 'encode', ...encodedSize } })).toContain(
      ' -map 0:V:0 -map 0:a:0 -vf yadif=deint=interlaced,fps=30,scale=1280:720,setsar=1,format=yuv420p ' +
        '-c:v libx264 -preset veryfast -profile:v high -bf 2 -g 60 -keyint_min 60 -sc_threshold 0 ' +
        '-b:v 2800k -maxrate 2800k -bufsize 5600k -c:a copy ',
    )
  })

  it('puts a logo on it, the next input after silence', () => {
    const at = { x: 1000, y: 20, width: 200, height: 100, opacity: 1 }
    const plan = asEncoded({ ...run.plan, sound: 'silence' })
    const made = relayArgs({ ...run, plan, logo: { at, file: '/data/logo.png' } }).join(' ')
    expect(made).toContain(' -stream_loop -1 -framerate 1 ')
    expect(made).toContain(' -f png_pipe -i file:/data/logo.png -shortest -map [picture] -map 1:a:0 -filter_complex ')
    expect(made).toMatch(
      /\[0:V:0\]yadif=deint=interlaced,fps=30,scale=1280:720,.*\[2:v:0\].*overlay=1000:20.*:shortest=1\[picture\] -c:v libx264/,
    )
  })

  it('goes by the shorter side of an upright picture', () => {
    const rateOf = (width: number, height: number) =>
      /-b:v (\S+)/.exec(line({ ...run.plan, picture: { kind: 'encode', width, height } }))?.[1]
    expect(rateOf(360, 640)).toBe('900k')
    expect(rateOf(360, 640)).toBe(rateOf(640, 360))
  })

  it('makes sound anew as every platform takes it', () => {
    expect(line({ ...run.plan, sound: 'encode' })).toContain(
      '-map 0:V:0 -map 0:a:0 -c:v copy -c:a aac -b:a 128k -ar 48000 -ac 2 -flvflags',
    )
  })

  it('adds silence that ends with the picture where there is no sound', () => {
    expect(line({ ...run.plan, sound: 'silence' })).toContain(
      `${ONLINE_INPUT} -f lavfi -i anullsrc=r=48000:cl=stereo -shortest -map 0:V:0 -map 1:a:0 ` +
        '-c:v copy -c:a aac -b:a 128k -ar 48000 -ac 2 -flvflags',
    )
  })

  it('[REC-02] is recorded by a second output of the same content, behind the very same broadcast', () => {
    const record = { folder: 'recording/a/b/1', pieceSeconds: 10 }
    const plain = relayArgs(run)
    expect(relayArgs({ ...run, record })).toEqual([
      ...plain,
      ...plain.slice(plain.indexOf('-map'), plain.indexOf('-flvflags')),
      ...recordOutput(record),
    ])
    const silent = relayArgs({ ...run, record, plan: { ...run.plan, sound: 'silence' } })
    expect(silent.filter((arg) => arg === '-shortest')).toHaveLength(2)
  })

  it('[REC-02] is encoded once where its picture is made anew, for the target and for the recorder', () => {
    const record = { folder: 'recording/a/b/1', pieceSeconds: 10 }
    const plan = { ...run.plan, picture: { kind: 'encode', ...encodedSize } } as const
    const args = relayArgs({ ...run, plan, record })
    expect(args.filter((arg) => arg === 'libx264')).toHaveLength(1)
    expect(args.slice(-5)).toEqual(['-flags', '+global_header', '-f', 'tee', `${flvSlave(run)}|${recordSlave(record)}`])
  })

  it('[REC-02] gives copied sound the tag that FLV has for it, where tee hands it on', () => {
    const record = { folder: 'recording/a/b/1', pieceSeconds: 10 }
    const made = (sound: RelayPlan['sound']) =>
      relayArgs({ ...run, plan: asEncoded({ ...run.plan, sound }), record }).join(' ')
    expect(made('copy')).toContain(' -c:a copy -tag:a 10 -flags +global_header -f tee ')
    expect(made('encode')).not.toContain('-tag:a')
  })

  it('connects to the judged address and calls the server by its name', () => {
    const args = relayArgs({ ...run, target: new Secret('rtmp://h/app/key'), address: '8.8.8.8' })
    expect(args.at(-1)).toBe('rtmp://8.8.8.8:1935/app/key')
    expect(args[args.indexOf('-rtmp_tcurl') + 1]).toBe('rtmp://h:1935/app')
  })
})

it('tells the proxy how many lines the picture may have', () => {
  const args = relayArgs({ ...run, source: new Secret(`${source.reveal()}#height=720`) })
  expect(args[args.indexOf('-headers') + 1]).toBe('Proxy-Share: 7\r\nProxy-Height: 720\r\n')
})

it('asks what a source holds with the same caution, and within bounds', () => {
  expect(relayProbeArgs(source, { proxy, share: '7' }).join(' ')).toBe(
    '-v error -hide_banner -analyzeduration 3000000 -probesize 5000000 -show_entries ' +
      'format=format_name:stream=codec_type,codec_name,profile,width,height,pix_fmt,field_order,' +
      'sample_aspect_ratio,avg_frame_rate,sample_rate,channels ' +
      `-of json ${ONLINE_INPUT}`,
  )
})
