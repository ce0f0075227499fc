import { connect } from 'node:net'
import { lookupAmong } from './guard.ts'

const PATIENCE_MS = 3_000

/**
 * The one to use of several addresses of a server, for a program that takes only one: on a machine without IPv6 the first may
 * lead nowhere. When none answers it is the first, so that the program says why.
 */
export async function firstToAnswer(addresses: readonly string[], port: number): Promise<string> {
  const [first = ''] = addresses
  if (addresses.length < 2) return first
  return new Promise((resolve) => {
    const lookup = lookupAmong(addresses)
    const socket = connect({ host: 'several.invalid', port, lookup, autoSelectFamily: true })
    const settle = (address: string) => {
      clearTimeout(overdue)
      socket.destroy()
      resolve(address)
    }
    const overdue = setTimeout(settle, PATIENCE_MS, first)
    socket.once('connect', () => settle(socket.remoteAddress ?? first))
    socket.once('error', () => settle(first))
  })
}
