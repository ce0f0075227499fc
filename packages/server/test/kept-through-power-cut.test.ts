import { readlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { bearer, call, signIn, startProgram, type TestProgram, uploadVideo } from './support/program.ts'

let folder: TempDir
let clip: string
let program: TestProgram
let handles: FileHandle
/** What was written to the disk itself, and how many videos there were at that moment. */
let synced: { path: string; videos: number }[]

beforeAll(async () => {
  folder = await tempDir('power-cut')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 2 })
  program = await startProgram()
  const handle = await open(clip)
  handles = Object.getPrototypeOf(handle)
  await handle.close()
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await program.close()
  await folder.remove()
})

function watchDisk(): void {
  synced = []
  const sync = handles.sync
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    const path = readlinkSync(`/proc/self/fd/${this.fd}`)
    if (path.startsWith(program.dataDir)) {
      const videos = (await program.db.selectFrom('videos').select('id').execute()).length
      synced.push({ path: path.slice(program.dataDir.length + 1), videos })
    }
    return sync.call(this)
  })
}
const paths = () => synced.map(({ path }) => path)

describe('what was answered outlives a power cut', () => {
  it('an upload: the file and its folder before the row, then its new place, then the row', async () => {
    const { user } = await signIn(program.url)
    watchDisk()
    expect((await uploadVideo(program.url, user.apiKey, clip)).status).toBe(200)
    const [file, arrival] = synced
    expect(file).toMatchObject({ path: expect.stringMatching(/^uploads\/[\w-]+\/upload$/), videos: 0 })
    expect(arrival).toMatchObject({ path: expect.stringMatching(/^uploads\/[\w-]+$/), videos: 0 })
    expect(paths()).toContainEqual(expect.stringMatching(/^media\/[\w-]+\/[\w-]+$/))
    expect(paths()).toContainEqual(expect.stringMatching(/^media\/[\w-]+$/))
    expect(paths()).toContain('media')
    expect(synced.findLast(({ path }) => path === 'siarin.db-wal')).toMatchObject({ videos: 1 })
  })

  it('a changed key, and whatever else changes something; what only asks waits for no disk', async () => {
    const { user, token } = await signIn(program.url)
    watchDisk()
    await call(program.url, 'GET', `/fitur/video?apiKey=${user.apiKey}`)
    expect(paths()).toEqual([])
    const { status } = await call(program.url, 'POST', '/auth/profile/apikey', { headers: bearer(token) })
    expect(status).toBe(200)
    expect(paths()).toEqual(['siarin.db-wal'])
    await call(program.url, 'POST', '/fitur/steam/stop', { body: { apiKey: user.apiKey, streamId: 'unknown' } })
    expect(paths()).toEqual(['siarin.db-wal'])
  })
})
