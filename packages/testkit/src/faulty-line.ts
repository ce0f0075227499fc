import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * How a line behaves. What is held is not lost: as on a real line it arrives late, when the line is whole again. 'reset': every connection is
 * refused or broken. 'silent': connections are made, and nothing is carried, not even an end. 'requests-only': what the machine asks arrives,
 * and no answer comes back. 'answers-only': the other way round.
 */
export type LineMode = 'pass' | 'reset' | 'silent' | 'requests-only' | 'answers-only' | { delayMs: number }

export type FaultyLine = {
  port: number
  /** Counts at once, also for connections that stand. */
  set(mode: LineMode): void
  /** Breaks what stands, and carries what comes. */
  renew(): void
  close(): Promise<void>
}

type Direction = 'requests' | 'answers'
type Piece = { data: Buffer | null; dueMs: number }

const carries = (mode: LineMode): boolean => mode === 'pass' || typeof mode === 'object'

/** One direction of one connection: what comes in goes out in its order, late or held where the mode says so. */
function openLane(from: Socket, to: Socket, mode: () => LineMode, direction: Direction) {
  const waiting: Piece[] = []
  let timer: NodeJS.Timeout | null = null

  const isHeld = (now: LineMode): boolean =>
    now === 'silent' || (typeof now === 'string' && now.endsWith('-only') && now !== `${direction}-only`)

  function carry(): void {
    if (timer) clearTimeout(timer)
    timer = null
    if (isHeld(mode())) return
    for (let piece = waiting[0]; piece; piece = waiting[0]) {
      const early = piece.dueMs - performance.now()
      if (early > 0) {
        timer = setTimeout(carry, early)
        return
      }
      waiting.shift()
      if (piece.data) to.write(piece.data)
      else to.end()
    }
  }
  function take(data: Buffer | null): void {
    const now = mode()
    waiting.push({ data, dueMs: performance.now() + (typeof now === 'object' ? now.delayMs : 0) })
    carry()
  }
  from.on('data', take).on('end', () => take(null))
  return {
    carry,
    close: () => {
      if (timer) clearTimeout(timer)
      waiting.length = 0
    },
  }
}

/** A line from one machine to a local port, which a test makes faulty while it is in use. */
export async function openFaultyLine(toPort: number): Promise<FaultyLine> {
  let mode: LineMode = 'pass'
  const connections = new Set<{ carry(): void; cut(): void }>()
  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on('error', () => {})
    if (mode === 'reset') {
      near.resetAndDestroy()
      return
    }
    const far = connect({ port: toPort, host: '127.0.0.1', allowHalfOpen: true })
    const lanes = [openLane(near, far, () => mode, 'requests'), openLane(far, near, () => mode, 'answers')]
    const connection = {
      carry: () => {
        for (const lane of lanes) lane.carry()
        // One end is gone since: the other hears of it now.
        if (carries(mode) && near.destroyed) far.end()
        if (carries(mode) && far.destroyed) near.end()
      },
      cut: () => {
        for (const lane of lanes) lane.close()
        near.resetAndDestroy()
        far.resetAndDestroy()
        connections.delete(connection)
      },
    }
    connections.add(connection)
    const closed = () => {
      // A machine that loses its power says no farewell: the other end goes on waiting.
      if (carries(mode)) connection.cut()
    }
    near.on('close', closed)
    far.on('error', () => {}).on('close', closed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cutAll = () => {
    for (const connection of connections) connection.cut()
  }
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      mode = next
      if (mode === 'reset') cutAll()
      else for (const connection of connections) connection.carry()
    },
    renew() {
      mode = 'pass'
      cutAll()
    },
    async close() {
      server.close()
      cutAll()
      await once(server, 'close').catch(() => {})
    },
  }
}
