import { describe, expect, it } from 'vitest'
import { type ExitReason, exitReason, relayExitReason } from './exit-reason.ts'

const relayed = (code: number | null, signal: string | null, ...lastLines: string[]): ExitReason =>
  relayExitReason({ code, signal, lastLines })

describe('why a relay ended', () => {
  it.each([
    ['a segment that is gone', '[hls @ 0x55] Failed to open segment 7 of playlist 0'],
    ['a server of the source that is away', '[https @ 0x55] HTTP error 404 Not Found'],
    ['a source that is no longer there', 'http://a.example.tls.invalid:443/x.m3u8: Server returned 404 Not Found'],
    ['our own proxy', '[tcp @ 0x55] Connection to tcp://127.0.0.1:40123 failed: Connection refused'],
    ['a playlist that cannot be read', 'file.m3u8: Invalid data found when processing input'],
    ['nothing that it said', ''],
  ])('is that the source is away: %s', (_what, line) => {
    expect(relayed(1, null, line)).toBe('source-away')
  })

  it('is what the target did, whatever the source complained of', () => {
    const complaint = '[https @ 0x55] Failed to resolve hostname cdn.example: Name or service not known'
    expect(relayed(1, null, complaint, 'av_interleaved_write_frame(): Broken pipe')).toBe('target-closed')
    expect(relayed(1, null, complaint, 'rtmp://h/app/key: Input/output error')).toBe('target-refused')
    expect(relayed(1, null, '[tcp @ 0x55] Failed to resolve hostname h: Name or service not known')).toBe(
      'name-not-found',
    )
  })

  it('is trouble of ours where ffmpeg could not be run', () => {
    expect(relayed(127, null, 'sh: 1: exec: ffmpeg: not found')).toBe('server-trouble')
  })

  it('is a signal where one ended it, and the end of the source where it ended well', () => {
    expect(relayed(null, 'SIGKILL')).toBe('killed')
    expect(relayed(null, 'SIGSEGV', '[hls @ 0x55] skipping')).toBe('killed')
    expect(relayed(255, null)).toBe('stopped')
    expect(relayed(0, null)).toBe('source-ended')
  })
})

describe('[REC-02] why a recorded relay ended', () => {
  const relayed = (...lastLines: string[]) => relayExitReason({ code: 1, signal: null, lastLines })

  it('is not what its recorder complained of', () => {
    const recorder = [
      "[segment @ 0xaa] Failure occurred when ending segment 'recording/h/7/1/000004.ts'",
      "[segment @ 0xaa] Failed to open segment 'recording/h/7/1/000005.ts'",
      '[tee @ 0xaa] Slave muxer #0 failed: Operation not permitted, continuing with 1/2 slaves.',
    ]
    expect(relayed(...recorder, 'av_interleaved_write_frame(): Broken pipe')).toBe('target-closed')
    expect(relayed(...recorder)).toBe('source-away')
  })

  it('is told by the slave that sends, where the picture is made anew', () => {
    const refused = [
      "[tee @ 0xaa] Slave '[f=flv:onfail=abort]rtmp://127.0.0.1:1935/live/[secret]': error opening: Input/output error",
      '[tee @ 0xaa] Slave muxer #0 failed, aborting.',
      'Could not write header for output file #0 (incorrect codec parameters ?): Input/output error',
    ]
    expect(relayed(...refused)).toBe('target-refused')
    expect(relayed('[tee @ 0xaa] Slave muxer #0 failed, aborting.', 'av_interleaved_write_frame(): Broken pipe')).toBe(
      'target-closed',
    )
  })
})

describe('why a broadcast ended, where its lines say little', () => {
  const reasonOf = (line: string, code = 1) => exitReason({ code, signal: null, lastLines: [line] })

  it.each<[string, ExitReason]>([
    ['[rtmp @ 0x55] Cannot open connection tcp://127.0.0.1:1935', 'target-unreachable'],
    ['av_interleaved_write_frame(): Immediate exit requested', 'stopped'],
    ['av_interleaved_write_frame(): Connection timed out', 'timed-out'],
    ['av_interleaved_write_frame(): Operation not permitted', 'target-refused'],
    ['av_interleaved_write_frame(): Invalid data found when processing input', 'source-unreadable'],
    ['av_interleaved_write_frame(): Invalid argument', 'source-unreadable'],
    ['av_interleaved_write_frame(): Connection reset by peer', 'target-closed'],
    ['rtmp://h/app/key: Immediate exit requested', 'stopped'],
    ['rtmp://h/app/key: Operation timed out', 'timed-out'],
    ['rtmp://h/app/key: Cannot allocate memory', 'unknown'],
    ['  file:/data/a.mp4: No such file or directory\r', 'source-missing'],
  ])('%s: %s', (line, reason) => {
    expect(reasonOf(line)).toBe(reason)
  })

  it('is a missing slot where ffmpeg ended well and yet could not open one', () => {
    expect(reasonOf("[concat @ 0x55] Impossible to open '1.mp4'", 0)).toBe('source-missing')
    expect(reasonOf('', 0)).toBe('source-ended')
  })
})
