import type { Secret } from '../secret.ts'

/** A server that takes nothing for this long is gone; without the limit ffmpeg waits for it for ever. */
const RW_TIMEOUT_MICROSECONDS = 10_000_000

/** How every broadcast leaves us. */
export function flvOutput({ target, verifyTls = true }: { target: Secret; verifyTls?: boolean }): string[] {
  const url = target.reveal()
  return [
    ...['-flvflags', 'no_duration_filesize'],
    ...['-rw_timeout', String(RW_TIMEOUT_MICROSECONDS)],
    // Off by default in ffmpeg, which would hand the stream key to whoever answers.
    ...(url.startsWith('rtmps:') && verifyTls ? ['-tls_verify', '1'] : []),
    ...['-f', 'flv', url],
  ]
}
