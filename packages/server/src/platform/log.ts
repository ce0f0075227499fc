import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type Log = Logger

/** A person at a terminal reads sentences; everything else (journald, docker, files) gets JSON. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const stream =
    destination ??
    (process.stdout.isTTY
      ? pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true })
      : undefined)
  const options = { level, redact: ['*.apiKey', '*.password', '*.token', '*.rtmpStream'] }
  return stream ? pino(options, stream) : pino(options)
}

/** Addresses go into the log without the values of their query: that is where API keys travel. */
export const loggedUrl = (url: string): string => url.replace(/\?.*$/s, '?…')
