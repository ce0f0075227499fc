import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onEachPart, refuseCrumbs } from './message-parts.ts'

const BOUNDS = { count: 100, bytes: 128 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** How many parts arrive until the body is broken off. */
function arriving(): { message: IncomingMessage; send: (bytes: number, times: number) => number } {
  const message = new IncomingMessage(new Socket())
  let seen = 0
  refuseCrumbs(message, BOUNDS, () => message.destroy())
  onEachPart(message, () => {
    seen += message.destroyed ? 0 : 1
  })
  const send = (bytes: number, times: number) => {
    seen = 0
    for (let time = 0; time < times; time++) message.push(Buffer.alloc(bytes))
    return seen
  }
  return { message, send }
}

describe('[SAFE-07] a body', () => {
  it('in parts of one byte is broken off soon', () => {
    const { message, send } = arriving()
    expect(send(1, 10_000)).toBeLessThan(110)
    expect(message.destroyed).toBe(true)
  })

  it('whose first parts are good may go on with crumbs for no longer than any other', () => {
    const { send } = arriving()
    expect(send(64_000, 1_000)).toBe(1_000)
    expect(send(1, 10_000)).toBeLessThan(110)
  })

  it.each([
    ['packets of MPEG-TS', 188],
    ['parts just as large as they should be', 128],
  ])('in %s arrives', (_what, bytes) => {
    expect(arriving().send(bytes, 100_000)).toBe(100_000)
  })

  it('that begins with small parts arrives', () => {
    const { send } = arriving()
    expect([send(1, 90), send(1_000, 1_000), send(1, 90)]).toEqual([90, 1_000, 90])
  })

  it('that comes slowly arrives, however small its parts are', () => {
    const { message, send } = arriving()
    for (let second = 0; second < 100; second++) {
      send(20, 50)
      vi.advanceTimersByTime(1_000)
    }
    expect(message.destroyed).toBe(false)
  })
})
