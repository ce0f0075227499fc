import { once } from 'node:events'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, processed, signIn, startProgram, type TestProgram, uploadVideo, videosOf } from './support/program.ts'

/** More than lies in the buffers of a connection, which some machines let grow to 33 MB. */
const FILLER_BYTES = 96_000_000
/** One more than an account has places for calls. */
const READERS = 7

describe('[SAFE-07] a video whose readers take nothing', () => {
  let program: TestProgram
  let folder: TempDir
  beforeAll(async () => {
    folder = await tempDir('removed')
    program = await startProgram()
  })
  afterAll(async () => {
    await program.close()
    await folder.remove()
  })

  async function largeClip(): Promise<string> {
    const file = join(folder.path, 'besar.mp4')
    // As long as it takes for so many bytes to be a usual picture's.
    await makeClip(file, { seconds: 3.2, times: 20 })
    const filler = Buffer.alloc(FILLER_BYTES)
    filler.writeUInt32BE(filler.length)
    filler.write('free', 4)
    await writeFile(file, Buffer.concat([await readFile(file), filler]))
    return file
  }

  /** Files that are deleted, and take room nevertheless. */
  async function filesHeld(): Promise<string[]> {
    const open = await readdir('/proc/self/fd')
    const paths = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
    return paths.filter((path) => path.startsWith(join(program.dataDir, 'media')) && path.endsWith('(deleted)'))
  }

  it('keeps no other call of its account waiting, and [API-04] gives its bytes back when it is deleted', async () => {
    const { apiKey } = (await signIn(program.url)).user
    await uploadVideo(program.url, apiKey, await largeClip())
    await processed(program.url, apiKey, 'klip.mp4')
    const address = `${program.url}/fitur/video/klip.mp4?apiKey=${apiKey}`
    const gaveUp = AbortSignal.timeout(20_000)
    const reader = async (): Promise<IncomingMessage> =>
      (await once(request(address, { signal: gaveUp }).end(), 'response'))[0]
    const readers = await Promise.all(Array.from({ length: READERS }, reader))
    const breaks = readers.map(
      (each) => new Promise((resolve) => each.once('error', resolve).once('end', () => resolve('it came whole'))),
    )
    expect((await videosOf(program.url, apiKey)).map(({ filename }) => filename)).toEqual(['klip.mp4'])
    const deleted = await call(program.url, 'DELETE', '/fitur/video/delete/klip.mp4', { body: { apiKey } })
    expect(deleted.status).toBe(200)
    await waitFor('the bytes to be free', async () => (await filesHeld()).length === 0, { timeoutMs: 5_000 })
    expect(gaveUp.aborted).toBe(false)
    for (const each of readers) each.resume()
    for (const error of await Promise.all(breaks)) expect(error).toMatchObject({ message: 'aborted' })
  })
})
