import { describe, expect, it } from 'vitest'
import { Secret } from '../secret.ts'
import { type BroadcastPlan, broadcastArgs } from './broadcast.ts'
import { recordOutput } from './record.ts'

const plan: BroadcastPlan = {
  source: { kind: 'slots', listFile: '/data/run/7/list', wraps: true },
  progressFile: '/data/run/7.progress',
  target: new Secret('rtmp://127.0.0.1:1935/live/key'),
}

const optionOf = (args: string[], option: string): string | undefined => args[args.indexOf(option) + 1]

describe('the command of a broadcast', () => {
  it('is this one', () => {
    expect(broadcastArgs(plan).join(' ')).toBe(
      '-nostdin -hide_banner -nostats -loglevel error -progress file:/data/run/7.progress -stats_period 1 ' +
        '-max_alloc 402653184 -re -stream_loop -1 -protocol_whitelist file -format_whitelist concat,mov,matroska,mpegts,flv,avi ' +
        '-f concat -safe 0 -auto_convert 0 -i file:/data/run/7/list -map 0:V:0 -map 0:a:0? -c copy ' +
        '-flvflags no_duration_filesize -rw_timeout 10000000 -f flv rtmp://127.0.0.1:1935/live/key',
    )
  })

  it('[REC-02] of a stand-in is recorded by a second output of the same content, behind the very same broadcast', () => {
    const record = { folder: 'recording/a/b/1', pieceSeconds: 10 }
    const content = ['-map', '0:V:0', '-map', '0:a:0?', '-c', 'copy']
    expect(broadcastArgs({ ...plan, record })).toEqual([...broadcastArgs(plan), ...content, ...recordOutput(record)])
  })

  it('sends packet by packet only what would otherwise arrive in bursts', () => {
    expect(optionOf(broadcastArgs({ ...plan, bitrateKbps: 2_500 }), '-flush_packets')).toBe('0')
    expect(optionOf(broadcastArgs({ ...plan, bitrateKbps: 512 }), '-flush_packets')).toBe('0')
    expect(broadcastArgs({ ...plan, bitrateKbps: 511 })).not.toContain('-flush_packets')
    expect(broadcastArgs({ ...plan, bitrateKbps: 300 })).not.toContain('-flush_packets')
    expect(broadcastArgs(plan)).not.toContain('-flush_packets')
  })

  it('plays a video once when it is not to loop, and then lets no list in', () => {
    const once = broadcastArgs({ ...plan, source: { kind: 'once', path: '/data/v1/master.mp4' } })
    expect(once).not.toContain('-stream_loop')
    expect(once).not.toContain('concat')
    expect(optionOf(once, '-i')).toBe('file:/data/v1/master.mp4')
    expect(optionOf(once, '-format_whitelist')).toBe('mov,matroska,mpegts,flv,avi')
  })

  it('does not wrap a list round that begins within a video', () => {
    const source = { kind: 'slots', listFile: '/data/run/7/list', wraps: false } as const
    const [once, looped] = [broadcastArgs({ ...plan, source }), broadcastArgs(plan)]
    expect(once).toEqual(looped.filter((arg) => arg !== '-stream_loop' && arg !== '-1'))
    expect(once).not.toContain('-stream_loop')
  })

  it.each(['-i.mp4', 'http:x.mp4', 'concat:a.mp4|b.mp4', '/data/a b:c.mp4'])('takes the path %s for a file', (path) => {
    const args = broadcastArgs({ ...plan, source: { kind: 'once', path }, progressFile: path })
    expect(optionOf(args, '-i')).toBe(`file:${path}`)
    expect(optionOf(args, '-progress')).toBe(`file:${path}`)
  })

  it('checks the certificate of an RTMPS server unless told otherwise', () => {
    const target = new Secret('rtmps://h/app/key')
    expect(optionOf(broadcastArgs({ ...plan, target }), '-tls_verify')).toBe('1')
    expect(broadcastArgs({ ...plan, target, verifyTls: false })).not.toContain('-tls_verify')
    expect(broadcastArgs(plan)).not.toContain('-tls_verify')
  })

  it('connects to the address that it is given, and calls the server by its name', () => {
    const args = broadcastArgs({ ...plan, target: new Secret('rtmp://h/app/key'), address: '8.8.8.8' })
    expect(optionOf(args, '-rtmp_tcurl')).toBe('rtmp://h:1935/app')
    expect(args.at(-1)).toBe('rtmp://8.8.8.8:1935/app/key')
    expect(broadcastArgs({ ...plan, address: '127.0.0.1' })).toEqual(broadcastArgs(plan))
  })

  it('ends with the target, after every option that concerns it', () => {
    expect(broadcastArgs(plan).slice(-3)).toEqual(['-f', 'flv', 'rtmp://127.0.0.1:1935/live/key'])
  })
})
