import type { IncomingMessage } from 'node:http'

/** So many parts of a body, smaller than `bytes` on average. */
export interface CrumbBounds {
  readonly count: number
  readonly bytes: number
}

/** Text that grows line by line, and what drips, come in small parts and are no trouble. */
const SMALL_PER_SECOND = 100

/** Node hands each part of a body on by `push`: there they are seen, since to listen would begin to read. */
export function onEachPart(message: IncomingMessage, see: (bytes: number) => void): void {
  const push = message.push.bind(message)
  message.push = (part: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (part) see(part.length)
    // What was read together with the part that has ended it.
    return !message.destroyed && push(part, encoding)
  }
}

/**
 * A body in parts of one byte (`Transfer-Encoding: chunked`, or records of TLS) costs ten thousand steps and as many buffers for each 64 kB, and
 * 2 MB are read in one turn of the event loop. Good parts make up for small ones that came before them, never for those that follow.
 */
export function refuseCrumbs(message: IncomingMessage, { count, bytes }: CrumbBounds, refuse: () => void): void {
  let small = 0
  let atMs = performance.now()
  onEachPart(message, (length) => {
    if (message.destroyed) return
    const presentMs = performance.now()
    small += 1 - length / bytes - ((presentMs - atMs) / 1000) * SMALL_PER_SECOND
    small = Math.max(0, small)
    atMs = presentMs
    if (small > count) refuse()
  })
}
