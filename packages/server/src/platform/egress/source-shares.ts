import type { Socket } from 'node:net'
import { createSourceAgents, type KeptBounds, type SourceAgents } from './source-agents.ts'

/** What one stream may have of the proxy that all of them read through. */
export interface Share {
  /** Counts what has come for it. Returns for how long no more is to be read for it. */
  take(bytes: number): number
  /** Its connections to sources. */
  readonly agents: SourceAgents
}

export interface ShareBounds {
  /** ffmpeg has two for each playlist that it reads, most often. Where many connections are open in all, new ones are for those that have few. */
  readonly each: number
  readonly crowdedFrom: number
  readonly eachInCrowd: number
  /** Those of all ffmpegs that an earlier version has started: they say no name. */
  readonly unnamed: number
  /** On average over so many seconds. Streams of 4K have half of it. */
  readonly bytesPerSecond: number
  readonly overSeconds: number
  /** Connections to sources. ffmpeg reads from two servers or three, most often. */
  readonly kept: KeptBounds
}

const BOUNDS: ShareBounds = {
  ...{ each: 32, crowdedFrom: 1_000, eachInCrowd: 16, unnamed: 1_000 },
  ...{ bytesPerSecond: 60_000_000 / 8, overSeconds: 10 },
  kept: { each: 8, inAll: 256 },
}

const UNNAMED = ''

interface Account extends Share {
  connections: number
}

/** A stream has few connections, and so many bytes in a second: what its source makes ffmpeg do is no trouble of other streams. */
export function createSourceShares(
  { each, crowdedFrom, eachInCrowd, unnamed, bytesPerSecond, overSeconds, kept }: ShareBounds = BOUNDS,
  now: () => number = () => performance.now(),
) {
  const createAgents = createSourceAgents(kept)
  const accounts = new Map<string, Account>()
  const joined = new WeakMap<Socket, Account>()
  let connections = 0

  function mostOf(name: string): number {
    if (name === UNNAMED) return unnamed
    return connections < crowdedFrom ? each : eachInCrowd
  }

  function createAccount(): Account {
    const most = bytesPerSecond * overSeconds
    let left = most
    let atMs = now()
    return {
      connections: 0,
      agents: createAgents(),
      take(bytes) {
        const presentMs = now()
        left = Math.min(most, left + ((presentMs - atMs) / 1000) * bytesPerSecond) - bytes
        atMs = presentMs
        return left < 0 ? (-left / bytesPerSecond) * 1000 : 0
      },
    }
  }

  /** Not at once: to connect anew must not make it forget what has been taken. */
  function forgetLater(name: string, account: Account): void {
    setTimeout(() => {
      if (account.connections === 0 && accounts.get(name) === account) accounts.delete(name)
    }, overSeconds * 1000).unref()
  }

  return {
    /** For each request of a connection. Null: its stream has too many connections already. */
    join(socket: Socket, name: string = UNNAMED): Share | null {
      const known = joined.get(socket)
      if (known) return known
      const account = accounts.get(name) ?? createAccount()
      // One that is closed would never tell so.
      if (socket.destroyed || account.connections >= mostOf(name)) return null
      accounts.set(name, account)
      // Without a name it is not known which bytes are whose.
      const share = name === UNNAMED ? createAccount() : account
      joined.set(socket, share)
      account.connections++
      connections++
      socket.once('close', () => {
        account.connections--
        connections--
        if (account.connections === 0) forgetLater(name, account)
      })
      return share
    },
  }
}
