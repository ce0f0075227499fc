import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, startProgramOn } from './support/databases.ts'
import { LIMITED_LISTS, newOwner } from './support/filled-lists.ts'
import type { TestProgram } from './support/program.ts'

const AT_ONCE = 40
const LEFT = 2

/** A playlist at every address but those of videos, of which nothing ever comes. */
async function openPlaylists(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    if (!request.url?.endsWith('.mp4')) response.end('#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.ts\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** SQLite has one writer at a time: a change that is lost is lost on PostgreSQL first. */
const databases = isWholeRun ? BOTH_DATABASES : BOTH_DATABASES.filter(({ name }) => name === 'PostgreSQL')

describe.each(databases)('[SAFE-07] the end of a list holds on $name', ({ open }) => {
  let program: TestProgram
  let elsewhere: Awaited<ReturnType<typeof openPlaylists>>
  beforeAll(async () => {
    elsewhere = await openPlaylists()
    program = await startProgramOn(open)
  })
  afterAll(async () => {
    await program?.close()
    elsewhere?.server.close()
    elsewhere?.server.closeAllConnections()
  })

  it.each(LIMITED_LISTS)('however many are added at once: $what', async ({ what, most, fill, add, count }) => {
    const owner = await newOwner(program, elsewhere.url)
    await fill(program.db, owner, most - LEFT)
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => add(owner, n)))
    const taken = replies.filter(({ status }) => status === 200)
    const has = await count(program.db, owner)
    process.stdout.write(`${what}: ${taken.length} of ${AT_ONCE} were taken, ${has} of ${most} are there\n`)
    expect({ taken: taken.length, has }).toEqual({ taken: LEFT, has: most })
    // The others are refused with words, and none of them breaks anything.
    expect(replies.filter(({ status }) => ![200, 400, 403, 409, 429].includes(status))).toEqual([])
  })
})
