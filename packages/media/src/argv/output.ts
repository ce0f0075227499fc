import { targetAt } from '../rtmp-target.ts'
import type { Secret } from '../secret.ts'

/** A server that takes nothing for this long is gone; without the limit ffmpeg waits for it for ever. */
const RW_TIMEOUT_MICROSECONDS = 10_000_000

interface Output {
  target: Secret
  address?: string | null
  verifyTls?: boolean
}

/** How every broadcast leaves us. */
export function flvOutput({ target, address, verifyTls = true }: Output): string[] {
  const { url, tcUrl } = targetAt(target.reveal(), address ?? null)
  return [
    ...['-flvflags', 'no_duration_filesize'],
    ...['-rw_timeout', String(RW_TIMEOUT_MICROSECONDS)],
    // Off by default in ffmpeg, which would hand the stream key to whoever answers.
    ...(url.startsWith('rtmps:') && verifyTls ? ['-tls_verify', '1'] : []),
    ...(tcUrl ? ['-rtmp_tcurl', tcUrl] : []),
    ...['-f', 'flv', url],
  ]
}
