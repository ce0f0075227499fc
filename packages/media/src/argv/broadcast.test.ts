import { describe, expect, it } from 'vitest'
import { Secret } from '../secret.ts'
import { type BroadcastPlan, broadcastArgs } from './broadcast.ts'

const plan: BroadcastPlan = {
  source: { kind: 'loop', path: '/data/v1/master.mp4' },
  looping: true,
  progressFile: '/data/run/7.progress',
  target: new Secret('rtmp://127.0.0.1:1935/live/key'),
}

const optionOf = (args: string[], option: string): string | undefined => args[args.indexOf(option) + 1]

describe('the command of a broadcast', () => {
  it('is this one', () => {
    expect(broadcastArgs(plan).join(' ')).toBe(
      '-nostdin -hide_banner -nostats -loglevel error -progress file:/data/run/7.progress -stats_period 1 ' +
        '-re -stream_loop -1 -protocol_whitelist file -format_whitelist mov,matroska,mpegts,flv,avi ' +
        '-i file:/data/v1/master.mp4 -map 0:V:0 -map 0:a:0? -c copy ' +
        '-flvflags no_duration_filesize -rw_timeout 10000000 -f flv rtmp://127.0.0.1:1935/live/key',
    )
  })

  it('plays the video once when it is not to loop', () => {
    const looped = broadcastArgs(plan)
    const once = broadcastArgs({ ...plan, looping: false })
    expect(looped.filter((argument) => !once.includes(argument))).toEqual(['-stream_loop', '-1'])
  })

  it.each(['-i.mp4', 'http:x.mp4', 'concat:a.mp4|b.mp4', '/data/a b:c.mp4'])('takes the path %s for a file', (path) => {
    const args = broadcastArgs({ ...plan, source: { kind: 'loop', path }, progressFile: path })
    expect(optionOf(args, '-i')).toBe(`file:${path}`)
    expect(optionOf(args, '-progress')).toBe(`file:${path}`)
  })

  it('checks the certificate of an RTMPS server unless told otherwise', () => {
    const target = new Secret('rtmps://h/app/key')
    expect(optionOf(broadcastArgs({ ...plan, target }), '-tls_verify')).toBe('1')
    expect(broadcastArgs({ ...plan, target, verifyTls: false })).not.toContain('-tls_verify')
    expect(broadcastArgs(plan)).not.toContain('-tls_verify')
  })

  it('ends with the target, after every option that concerns it', () => {
    expect(broadcastArgs(plan).slice(-3)).toEqual(['-f', 'flv', 'rtmp://127.0.0.1:1935/live/key'])
  })
})
