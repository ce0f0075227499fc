import { type DestinationStream, type Logger, pino } from 'pino'
import { loggedError } from './logged-error.ts'

export type Log = Logger

const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : null

/** Headers as a whole: libraries write them at the level 'trace', and keys, tokens and cookies stand in them. */
const SECRETS = ['*.apiKey', '*.password', '*.token', '*.rtmpStream', 'headers', '*.headers', '*.spawnargs', '*.cmd']

/** A person at a terminal reads sentences; everything else (journald, docker, files) gets JSON. */
export function createLog(level: string, destination: DestinationStream = terminal()): Log {
  return pino({ level, redact: SECRETS, serializers: { err: loggedError, error: loggedError } }, destination)
}

function terminal(): DestinationStream {
  // The reader of our output may be gone: nothing is worth ending, or hanging, for that.
  process.stdout.on('error', () => {})
  if (!pretty) return process.stdout
  return pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true })
}

/** Addresses go into the log without the values of their query, where API keys travel, and without the leave to see a preview. */
export const loggedUrl = (url: string): string =>
  url.replace(/\?.*$/s, '?…').replace(/^(\/fitur\/online\/preview\/)[^/]+/, '$1…')
