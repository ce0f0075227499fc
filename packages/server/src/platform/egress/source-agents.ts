import http from 'node:http'
import type { Duplex } from 'node:stream'
import { StrangersAgent } from './strangers-agent.ts'

/** How many connections are kept while nobody uses them. */
export interface KeptBounds {
  readonly each: number
  readonly inAll: number
}

export type SourceAgents = Readonly<Record<'http:' | 'https:', http.Agent>>

const IDLE_MS = 30_000
/** To begin a session of TLS anew is cheap where one before is remembered; a stream has few servers. */
const TLS_SESSIONS = 8

/**
 * Connections to sources are kept, so that a name is not looked up for every segment of every relay. A playlist may name a server of its own for each
 * of thousands of segments: of one stream few are kept, and few in all. What is kept longest without being used goes first.
 */
export function createSourceAgents({ each, inAll }: KeptBounds): () => SourceAgents {
  /** With the others of its stream. What became free first stands first, as it does in the lists of its agent, which skip what is closed there. */
  const free = new Map<Duplex, Set<Duplex>>()

  function leave(socket: Duplex): void {
    socket.off('close', onClose)
    free.get(socket)?.delete(socket)
    free.delete(socket)
  }

  function onClose(this: Duplex): void {
    leave(this)
  }

  function end(socket: Duplex | undefined): void {
    if (!socket) return
    leave(socket)
    socket.destroy()
  }

  function keep(socket: Duplex, own: Set<Duplex>): void {
    free.set(socket, own.add(socket))
    socket.once('close', onClose)
    if (own.size > each) end(own.values().next().value)
    if (free.size > inAll) end(free.keys().next().value)
  }

  function bounded<Agent extends http.Agent>(agent: Agent, own: Set<Duplex>): Agent {
    const [keepAlive, reuse] = [agent.keepSocketAlive.bind(agent), agent.reuseSocket.bind(agent)]
    agent.keepSocketAlive = (socket): boolean => {
      // Its type does not say so, but it returns whether the connection may be kept.
      const isKept = Boolean(keepAlive(socket) as unknown)
      if (isKept) keep(socket, own)
      return isKept
    }
    agent.reuseSocket = (socket, request) => {
      leave(socket)
      reuse(socket, request)
    }
    return agent
  }

  return () => {
    const own = new Set<Duplex>()
    const pool = { keepAlive: true, timeout: IDLE_MS, maxCachedSessions: TLS_SESSIONS }
    return { 'http:': bounded(new http.Agent(pool), own), 'https:': bounded(new StrangersAgent(pool), own) }
  }
}
