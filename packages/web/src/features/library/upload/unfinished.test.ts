import { describe, expect, it } from 'vitest'
import { createUnfinishedUploads } from './unfinished.ts'

const HOUR_MS = 3_600_000

function fakeStorage() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
  }
}

const upload = {
  size: 5,
  metadata: { filename: 'liburan.mp4' },
  creationTime: '',
  urlStorageKey: '',
  uploadUrl: '/fitur/video/tus/1',
  parallelUploadUrls: null,
}

function setUp() {
  let time = 0
  const storage = fakeStorage()
  const unfinished = createUnfinishedUploads(
    () => storage,
    () => time,
  )
  const wait = (ms: number): void => {
    time += ms
  }
  return { storage, unfinished, wait }
}

describe('unfinished uploads', () => {
  it('are found again by the same file of the same person', async () => {
    const { unfinished } = setUp()
    await unfinished.urlStorage.addUpload('sari@gmail.com|1', upload)
    expect(await unfinished.urlStorage.findUploadsByFingerprint('sari@gmail.com|1')).toMatchObject([
      { uploadUrl: '/fitur/video/tus/1', urlStorageKey: 'sari@gmail.com|1' },
    ])
    expect(await unfinished.urlStorage.findUploadsByFingerprint('budi@gmail.com|1')).toEqual([])
    expect(unfinished.of('sari@gmail.com')).toMatchObject([{ name: 'liburan.mp4' }])
    expect(unfinished.of('budi@gmail.com')).toEqual([])
  })

  it('are forgotten a day after the server last heard of them', async () => {
    const { storage, unfinished, wait } = setUp()
    await unfinished.urlStorage.addUpload('sari@gmail.com|1', upload)
    wait(23 * HOUR_MS)
    unfinished.touch('sari@gmail.com|1')
    wait(23 * HOUR_MS)
    expect(unfinished.of('sari@gmail.com')).toHaveLength(1)
    wait(2 * HOUR_MS)
    expect(unfinished.of('sari@gmail.com')).toEqual([])
    expect(storage.length).toBe(0)
  })

  it('are none where the browser stores nothing or something else stands there', async () => {
    const blocked = createUnfinishedUploads(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    expect(await blocked.urlStorage.addUpload('a', upload)).toBe('a')
    expect(await blocked.urlStorage.findUploadsByFingerprint('a')).toEqual([])
    expect(blocked.of('a')).toEqual([])

    const { storage, unfinished } = setUp()
    storage.setItem('siarin-upload:a|1', '{"broken')
    storage.setItem('siarin-upload:a|2', '[]')
    expect(unfinished.of('a')).toEqual([])
  })
})
