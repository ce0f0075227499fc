export interface ConnectionLimits {
  readonly total: number
  readonly perAddress: number
}

/** Beyond this a single program is not what is short. */
const MOST = 10_000
const LEAST = 16
const MOST_PER_ADDRESS = 256
/** For the database, Redis, the log, and whatever is being started, read or written just now. */
const OWN_FILES = 96
/** A connection may have us open a file too: a video that is sent, or one that arrives. */
const FILES_PER_CONNECTION = 2

/**
 * How many connections there may be, so that a file is always left for an ffmpeg that has to be started. Each broadcast has one file open
 * here. Where there are few, broadcasts get at most a quarter: they are asked for one by one, connections come by the hundred.
 */
export function connectionLimits(openFiles: number | null, mostBroadcasts: number): ConnectionLimits {
  const files = openFiles ?? MOST * FILES_PER_CONNECTION
  const forBroadcasts = Math.min(mostBroadcasts, Math.floor(files / 4))
  const left = Math.floor((files - OWN_FILES - forBroadcasts) / FILES_PER_CONNECTION)
  const total = Math.min(MOST, Math.max(LEAST, left))
  // Whole campuses and mobile networks share one address. But each connection can keep us busy for some milliseconds at one moment.
  return { total, perAddress: Math.min(MOST_PER_ADDRESS, Math.ceil(total / 2)) }
}

/** A connection, as far as it matters who has to go. */
export interface Held {
  /** An answer is being made for it, or read by somebody, or an upload comes through it. */
  readonly served: boolean
}

/**
 * Which connection has to go so that another one fits: the oldest that nobody serves, of the address that has most of them. So one who opens
 * many drives out the own ones, and one who opens a single one and asks at once is served. Null: none can be spared.
 */
export function chooseToGo<T extends Held>(byAddress: Iterable<ReadonlySet<T>>): T | null {
  let found: T | null = null
  let most = 0
  for (const connections of byAddress) {
    if (connections.size <= most) continue
    for (const connection of connections) {
      if (connection.served) continue
      found = connection
      most = connections.size
      break
    }
  }
  return found
}
