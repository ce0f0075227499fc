import { readdirSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Hundreds of broadcasts look every second: one reading of the kernel's list serves them all. */
const FRESH_MS = 900
const MAX_LOOKUPS = 3

/**
 * How much a process has handed to its TCP connections that the other side has not taken yet. Such bytes pile up in the
 * kernel, megabytes of them, while the process believes that all is well. Nothing is known where there is no /proc.
 */
export function createSendQueues() {
  let list: Promise<Map<string, number>> = Promise.resolve(new Map())
  let listedAt = Number.NEGATIVE_INFINITY

  function queues(): Promise<Map<string, number>> {
    if (performance.now() - listedAt > FRESH_MS) {
      listedAt = performance.now()
      list = readQueues()
    }
    return list
  }

  return {
    /** To be asked once its connections stand: they are looked up the first time and kept. */
    of(pid: number): () => Promise<number> {
      let sockets: readonly string[] = []
      let lookups = 0
      return async () => {
        if (sockets.length === 0 && lookups++ < MAX_LOOKUPS) sockets = socketsOf(pid)
        if (sockets.length === 0) return 0
        const waiting = await queues()
        return sockets.reduce((sum, socket) => sum + (waiting.get(socket) ?? 0), 0)
      }
    },
  }
}

/** Plain calls: the kernel answers at once, and a thousand starts would wait for some ten thousand turns of the thread pool. */
function socketsOf(pid: number): string[] {
  try {
    const open = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`))
    return open.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [])
  } catch {
    // It is gone.
    return []
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // It was closed meanwhile.
    return ''
  }
}

/** Number, both addresses, state, then what is on its way out and in; the number of the socket stands five fields later. */
const HELD_BACK = /^ *\d+: \S+ \S+ \S+ (?!0+:)([\dA-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+)/gm

/**
 * By the socket's number: bytes that are not sent, or sent and not acknowledged, where there are any. To take each
 * line apart into its words took as long as to read the list.
 */
export const heldBackIn = (table: string): [socket: string, bytes: number][] =>
  [...table.matchAll(HELD_BACK)].map(([, queued = '', socket = '']) => [socket, Number.parseInt(queued, 16)])

async function readQueues(): Promise<Map<string, number>> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((table) => readFile(`/proc/net/${table}`, 'latin1').catch(() => '')),
  )
  return new Map(tables.flatMap(heldBackIn))
}
