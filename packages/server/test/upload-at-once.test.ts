import { once } from 'node:events'
import { request } from 'node:http'
import { cpuSeconds } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from './support/program.ts'
import { locationOf, tusOf } from './support/tus.ts'

const SIZE = 100_000
const AT_ONCE = 60

let siarin: Siarin
beforeAll(async () => {
  siarin = await startSiarin()
})
afterAll(() => siarin.dispose())

/** A piece that begins to come, and never ends. */
async function beginPiece(location: string, apiKey: string) {
  const headers = {
    ...{ 'tus-resumable': '1.0.0', 'x-api-key': apiKey, 'upload-offset': '0', 'content-length': String(SIZE) },
    'content-type': 'application/offset+octet-stream',
  }
  const piece = request(new URL(location, siarin.url), { method: 'PATCH', headers }).on('error', () => {})
  await new Promise((resolve) => piece.write(Buffer.alloc(1_000), resolve))
  return piece
}

const countsOf = (statuses: readonly number[]): Record<number, number> =>
  Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, statuses.filter((each) => each === status).length]),
  )

describe('[SAFE-07] many requests for one resumable upload at once', { timeout: 120_000 }, () => {
  it('wait in a short queue or are told to come back; none is a fault of ours, and the program is not busy with their waiting', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const tus = tusOf(siarin.url, apiKey)
    const location = locationOf(await tus.create(SIZE))
    // Loads what uploads need.
    expect((await tus.head(location)).status).toBe(200)
    const piece = await beginPiece(location, apiKey)
    const before = await cpuSeconds(siarin.pid)
    const ways = [tus.head, tus.head, (at: string) => tus.patch(at, 0, Buffer.from('x'))]
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => ways[at % ways.length]?.(location)))
    const used = (await cpuSeconds(siarin.pid)) - before
    const counts = countsOf(replies.map((reply) => reply?.status ?? 0))
    process.stdout.write(`${AT_ONCE} requests for one upload: ${JSON.stringify(counts)}, ${used.toFixed(2)} s of CPU\n`)
    piece.destroy()
    if (!piece.closed) await once(piece, 'close')
    expect(Object.keys(counts).filter((status) => Number(status) >= 500)).toEqual([])
    expect(counts[423]).toBeGreaterThan(AT_ONCE / 2)
    expect(used).toBeLessThan(1.5)
    const locked = replies.find((reply) => reply?.status === 423 && reply.headers.get('content-length') !== '0')
    expect(locked).toBeDefined()
    // Once they are through, the sender goes on.
    expect((await tus.head(location)).status).toBe(200)
    expect((await tus.remove(location)).status).toBe(204)
  })
})
