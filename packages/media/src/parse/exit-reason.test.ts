import { describe, expect, it } from 'vitest'
import { redact } from '../redact.ts'
import { Secret } from '../secret.ts'
import { type ExitReason, exitReason } from './exit-reason.ts'

type Sample = [what: string, reason: ExitReason, code: number | null, stderr: string]

/** True lines of ffmpeg 5.1.9 run with broadcastArgs against nginx-rtmp and servers that misbehave. */
const SAMPLES: Sample[] = [
  ['a key that on_publish refuses', 'target-refused', 1, 'rtmp://127.0.0.1:41935/refuse/k3y-9f8e: Input/output error'],
  [
    'a key that is on air already',
    'target-refused',
    1,
    `[rtmp @ 0x55868910f400] Server error: Already publishing
rtmp://127.0.0.1:41935/live/k3y-9f8e: Operation not permitted`,
  ],
  ['a refused key over TLS', 'target-refused', 1, 'rtmps://localhost:41950/refuse/k3y-9f8e: Input/output error'],
  [
    'a port where nobody listens',
    'target-unreachable',
    1,
    `[tcp @ 0x555dadba3200] Connection to tcp://127.0.0.1:41999?tcp_nodelay=0 failed: Connection refused
[rtmp @ 0x555dadbc3400] Cannot open connection tcp://127.0.0.1:41999?tcp_nodelay=0
rtmp://127.0.0.1:41999/live/k3y-9f8e: Connection refused`,
  ],
  [
    'the same over TLS',
    'target-unreachable',
    1,
    `[tcp @ 0x55e91344c840] Connection to tcp://127.0.0.1:41999 failed: Connection refused
[rtmps @ 0x55e913427fc0] Cannot open connection tls://127.0.0.1:41999
rtmps://127.0.0.1:41999/live/k3y-9f8e: Connection refused`,
  ],
  [
    'a network without a way there',
    'target-unreachable',
    1,
    `[tcp @ 0x5626a648f8c0] Connection to tcp://[2001:db8::1]:1935?tcp_nodelay=0 failed: No route to host
[rtmp @ 0x5626a6468d40] Cannot open connection tcp://[2001:db8::1]:1935?tcp_nodelay=0
rtmp://[2001:db8::1]/live/k3y-9f8e: No route to host`,
  ],
  [
    'a server that speaks something else, as HTTP or TLS',
    'target-unreachable',
    1,
    `[rtmp @ 0x560304370400] Cannot read RTMP handshake response
rtmp://127.0.0.1:41938/live/k3y-9f8e: End of file`,
  ],
  [
    'a server that hangs up at once',
    'target-unreachable',
    1,
    `[rtmp @ 0x55e3000c2400] Cannot read RTMP handshake response
rtmp://127.0.0.1:41939/live/k3y-9f8e: Connection reset by peer`,
  ],
  [
    'a publisher that is dropped',
    'target-closed',
    1,
    `av_interleaved_write_frame(): Broken pipe
Error writing trailer of rtmp://127.0.0.1:41935/live/k3y-9f8e: Broken pipe
Error closing file rtmp://127.0.0.1:41935/live/k3y-9f8e: Broken pipe`,
  ],
  [
    'a connection that is reset',
    'target-closed',
    1,
    `av_interleaved_write_frame(): Connection reset by peer
Error writing trailer of rtmp://127.0.0.1:41941/live/k3y-9f8e: Connection reset by peer
Error closing file rtmp://127.0.0.1:41941/live/k3y-9f8e: Broken pipe`,
  ],
  [
    'a publisher that is dropped under TLS',
    'target-closed',
    1,
    `[tls @ 0x56155a5e1200] Error in the push function.
[tls @ 0x56155a5e1200] IO error: Broken pipe
av_interleaved_write_frame(): Broken pipe
Error writing trailer of rtmps://localhost:41951/live/k3y-9f8e: Broken pipe
[tls @ 0x56155a5e1200] The specified session has been invalidated for some reason.
    Last message repeated 1 times
Error closing file rtmps://localhost:41951/live/k3y-9f8e: Input/output error`,
  ],
  [
    'a host that does not exist',
    'name-not-found',
    1,
    `[tcp @ 0x562cd6ba6200] Failed to resolve hostname no-such-host.invalid: Name or service not known
[rtmp @ 0x562cd6bc6400] Cannot open connection tcp://no-such-host.invalid:1935?tcp_nodelay=0
rtmp://no-such-host.invalid/live/k3y-9f8e: Input/output error`,
  ],
  [
    'the same over TLS',
    'name-not-found',
    1,
    `[tcp @ 0x5586b4dd4840] Failed to resolve hostname no-such-host.invalid: Name or service not known
[rtmps @ 0x5586b4daffc0] Cannot open connection tls://no-such-host.invalid:443
rtmps://no-such-host.invalid/live/k3y-9f8e: Input/output error`,
  ],
  [
    'rtmps to a port of plain RTMP',
    'tls-failed',
    1,
    `[tls @ 0x55dd60e35440] Error in the pull function.
[tls @ 0x55dd60e35440] IO error: Connection timed out
[rtmps @ 0x55dd60e43fc0] Cannot open connection tls://127.0.0.1:41935
rtmps://127.0.0.1:41935/live/k3y-9f8e: Connection timed out`,
  ],
  [
    'rtmps to a port of plain HTTP',
    'tls-failed',
    1,
    `[tls @ 0x562f9543e440] An unexpected TLS packet was received.
[rtmps @ 0x562f9544cfc0] Cannot open connection tls://127.0.0.1:41938
rtmps://127.0.0.1:41938/live/k3y-9f8e: Input/output error`,
  ],
  [
    'a certificate that nobody vouches for',
    'tls-failed',
    1,
    `[tls @ 0x5654ba716440] Peer certificate failed verification
[rtmps @ 0x5654ba724fc0] Cannot open connection tls://localhost:41950
rtmps://localhost:41950/live/k3y-9f8e: Input/output error`,
  ],
  [
    'a server that never answers',
    'timed-out',
    1,
    `[rtmp @ 0x56385b44f400] Cannot read RTMP handshake response
rtmp://127.0.0.1:41937/live/k3y-9f8e: Connection timed out`,
  ],
  [
    'a server that never answers, behind TLS',
    'timed-out',
    1,
    `[tls @ 0x559d529a9200] Error in the pull function.
[tls @ 0x559d529a9200] IO error: Connection timed out
[rtmps @ 0x559d529c9400] Cannot read RTMP handshake response
rtmps://localhost:41952/live/k3y-9f8e: Connection timed out`,
  ],
  [
    'a server that stops reading',
    'timed-out',
    1,
    `av_interleaved_write_frame(): Connection timed out
Error writing trailer of rtmp://127.0.0.1:41940/live/k3y-9f8e: Connection timed out
Error closing file rtmp://127.0.0.1:41940/live/k3y-9f8e: Connection timed out`,
  ],
  ['a video that is gone', 'source-missing', 1, 'file:nofile.mp4: No such file or directory'],
  [
    'a slot that is gone, over which 5.1.9 crashes',
    'source-missing',
    139,
    "[concat @ 0x564823d92a40] Impossible to open 'slots/1.mp4'",
  ],
  [
    'a file that is no video',
    'source-unreadable',
    1,
    `[mov,mp4,m4a,3gp,3g2,mj2 @ 0x56229032e2c0] moov atom not found
file:junk.mp4: Invalid data found when processing input`,
  ],
  [
    'a playlist in disguise',
    'source-unreadable',
    1,
    `[concat @ 0x558f5c3952c0] Format not on whitelist 'mov,matroska,mpegts,flv,avi'
file:evil.mp4: Invalid argument`,
  ],
  [
    'a file without a picture',
    'source-unreadable',
    1,
    `Stream map '0:V:0' matches no streams.
To ignore this, add a trailing '?' to the map.`,
  ],
  [
    'a codec that FLV cannot carry',
    'source-unreadable',
    1,
    `[flv @ 0x5595ef0bde00] Video codec vp9 not compatible with flv
Could not write header for output file #0 (incorrect codec parameters ?): Function not implemented
Error initializing output stream 0:0 --`,
  ],
  ['a file that may not be read', 'source-unreadable', 1, 'file:/tmp/mx/audio.m4a: Permission denied'],
  ['a video played to its end', 'source-ended', 0, ''],
  ['SIGTERM, which ffmpeg catches', 'stopped', 255, ''],
  [
    'SIGTERM while the server was not answering',
    'stopped',
    1,
    `[rtmp @ 0x5577d9ad6b80] Cannot read RTMP handshake response
rtmp://127.0.0.1:41937/live/k3y-9f8e: Immediate exit requested`,
  ],
  [
    'SIGTERM while the server was not reading',
    'stopped',
    255,
    `av_interleaved_write_frame(): Connection timed out
Error writing trailer of rtmp://127.0.0.1:41940/live/k3y-9f8e: Connection timed out
Error closing file rtmp://127.0.0.1:41940/live/k3y-9f8e: Connection timed out`,
  ],
  ['an exit without a word', 'unknown', 1, ''],
  ['an ffmpeg that is missing', 'server-trouble', 127, 'sh: 1: exec: /usr/bin/ffmpeg: not found'],
  ['the same in the words of another shell', 'server-trouble', 127, '/usr/bin/ffmpeg: No such file or directory'],
  [
    'an ffmpeg whose libraries are of another version',
    'server-trouble',
    127,
    'ffmpeg: error while loading shared libraries: libavdevice.so.61: cannot open shared object file: No such file or directory',
  ],
  ['an ffmpeg that may not be run', 'server-trouble', 126, 'sh: 1: exec: /usr/bin/ffmpeg: Permission denied'],
]

describe('why ffmpeg ended', () => {
  it.each(SAMPLES)('%s: %s', (_what, reason, code, stderr) => {
    expect(exitReason({ code, signal: null, lastLines: stderr.split('\n') })).toBe(reason)
  })

  it.each(SAMPLES)('can be told from redacted lines too: %s: %s', (_what, reason, code, stderr) => {
    const shown = redact(stderr, [new Secret('rtmp://127.0.0.1:41935/live/k3y-9f8e')])
    expect(shown).not.toContain('k3y')
    expect(exitReason({ code, signal: null, lastLines: shown.split('\n') })).toBe(reason)
  })

  it('is told from the lines alone when a broadcast was adopted and nobody saw its exit code', () => {
    for (const [what, reason, code, stderr] of SAMPLES) {
      if (code !== 1) continue
      expect(exitReason({ code: null, signal: null, lastLines: stderr.split('\n') }), what).toBe(reason)
    }
  })

  it('is what was done to it, when it was ended by a signal', () => {
    const lastLines = ['av_interleaved_write_frame(): Broken pipe']
    expect(exitReason({ code: null, signal: 'SIGKILL', lastLines })).toBe('killed')
    expect(exitReason({ code: null, signal: 'SIGTERM', lastLines })).toBe('stopped')
    expect(exitReason({ code: null, signal: 'SIGINT', lastLines })).toBe('stopped')
    expect(exitReason({ code: null, signal: 'SIGSEGV', lastLines: [] })).toBe('killed')
    expect(exitReason({ code: 139, signal: null, lastLines: [] })).toBe('killed')
  })

  it('is the write that failed, whatever a flawed video grumbled before', () => {
    const lastLines = [
      'file:trunc.mp4: corrupt input packet in stream 0',
      '[mov,mp4,m4a,3gp,3g2,mj2 @ 0x561f99880300] Invalid data found when processing input',
      'av_interleaved_write_frame(): Broken pipe',
    ]
    expect(exitReason({ code: 1, signal: null, lastLines })).toBe('target-closed')
  })
})

/** ffmpeg 7 words these lines otherwise and exits with the error's own number. Taken from reports, not from a run. */
describe('the words of ffmpeg 7', () => {
  const cases: Sample[] = [
    [
      'a refused key',
      'target-refused',
      251,
      `[out#0/flv @ 0x5581] Error opening output rtmp://h/app/k3y: Input/output error
Error opening output file rtmp://h/app/k3y.
Error opening output files: Input/output error`,
    ],
    [
      'a key on air already, whose code is that of a signal',
      'target-refused',
      255,
      `[rtmp @ 0x5581] Server error: Already publishing
[out#0/flv @ 0x5581] Error opening output rtmp://h/app/k3y: Operation not permitted`,
    ],
    [
      'a publisher that is dropped',
      'target-closed',
      224,
      `[vost#0:0/copy @ 0x5581] Error submitting a packet to the muxer: Broken pipe
[out#0/flv @ 0x5581] Error muxing a packet
[out#0/flv @ 0x5581] Error writing trailer: Broken pipe`,
    ],
    [
      'a video that is gone',
      'source-missing',
      254,
      `[in#0 @ 0x5581] Error opening input: No such file or directory
Error opening input file file:x.mp4.
Error opening input files: No such file or directory`,
    ],
  ]
  it.each(cases)('%s: %s', (_what, reason, code, stderr) => {
    expect(exitReason({ code, signal: null, lastLines: stderr.split('\n') })).toBe(reason)
  })
})
