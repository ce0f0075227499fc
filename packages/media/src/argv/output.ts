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
export function flvOutput(output: Output): string[] {
  const { options, url } = flvTarget(output)
  return [...options.flatMap(([name, value]) => [`-${name}`, value]), '-f', 'flv', url]
}

/** The same as a slave of `tee`, for a run that encodes once and sends to several places. Without it there is no broadcast. */
export function flvSlave(output: Output): string {
  const { options, url } = flvTarget(output)
  const words = options.map(([name, value]) => `${name}=${escaped(escaped(value, BETWEEN_OPTIONS), BETWEEN_SLAVES)}`)
  return `[${['f=flv', 'onfail=abort', ...words].join(':')}]${escaped(url, BETWEEN_SLAVES)}`
}

function flvTarget({ target, address, verifyTls = true }: Output) {
  const { url, tcUrl } = targetAt(target.reveal(), address ?? null)
  const options: [name: string, value: string][] = [
    ['flvflags', 'no_duration_filesize'],
    ['rw_timeout', String(RW_TIMEOUT_MICROSECONDS)],
  ]
  // Off by default in ffmpeg, which would hand the stream key to any server that answers.
  if (url.startsWith('rtmps:') && verifyTls) options.push(['tls_verify', '1'])
  if (tcUrl) options.push(['rtmp_tcurl', tcUrl])
  return { options, url }
}

/** What `tee` looks for when it tells its slaves apart, and then the options of one. */
const BETWEEN_SLAVES = '|'
const BETWEEN_OPTIONS = ':]'

/** For ffmpeg's av_get_token: a backslash and a quote mean something everywhere. */
const escaped = (text: string, also: string): string =>
  [...text].map((letter) => (`\\'${also}`.includes(letter) ? `\\${letter}` : letter)).join('')
