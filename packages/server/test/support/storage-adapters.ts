import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import type { S3Server } from '@siarin/testkit/s3-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { createLocalStorage } from '../../src/platform/storage/local.ts'
import { openS3Storage } from '../../src/platform/storage/open-s3.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'

/** What the suite needs of an adapter. */
export interface OpenedStorage {
  readonly storage: Storage
  /** Where files are made that are then put. */
  readonly sources: string
  /** For another process: an expression of JavaScript whose value is the same storage. */
  readonly script: string
  /** As another program opens it. */
  elsewhere(): Promise<Storage>
  close(): Promise<void>
}

/** Files come from another file system where there is one: they have to be copied, which takes a while. */
async function openLocal(): Promise<OpenedStorage> {
  const folder = await tempDir('storage')
  const root = join(folder.path, 'media')
  const sources = existsSync('/dev/shm') ? await mkdtemp('/dev/shm/siarin-storage-') : join(folder.path, 'sources')
  await mkdir(root, { recursive: true })
  await mkdir(sources, { recursive: true })
  const module = new URL('../../src/platform/storage/local.ts', import.meta.url).href
  return {
    storage: createLocalStorage(root),
    elsewhere: async () => createLocalStorage(root),
    sources,
    script: `(await import('${module}')).createLocalStorage('${root}')`,
    async close() {
      await rm(sources, { recursive: true, force: true })
      await folder.remove()
    },
  }
}

const log = pino({ level: 'silent' })

/** `keepsPut`: as a worker has it; else all that is read comes from the store. Each has a bucket of its own. */
const openS3 =
  (keepsPut: boolean) =>
  async ({ env }: Pick<S3Server, 'env'>): Promise<OpenedStorage> => {
    const folder = await tempDir('storage')
    const bucket = `${env.S3_BUCKET}-${keepsPut ? 'worker' : 'web'}`
    const settings = {
      ...{ endpoint: env.S3_ENDPOINT, region: env.S3_REGION, bucket, prefix: 'media/siarin/' },
      ...{ accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: new Secret(env.S3_SECRET_ACCESS_KEY) },
    }
    const optionsFor = (name: string) => ({
      ...{ settings, keepsPut, log },
      cache: { folder: join(folder.path, name), maxBytes: 1e9, reserveBytes: 0 },
    })
    const sources = join(folder.path, 'sources')
    await mkdir(sources)
    const at = (path: string) => new URL(path, import.meta.url).href
    const secret = `new (await import('${at('../../../media/src/secret.ts')}')).Secret('${env.S3_SECRET_ACCESS_KEY}')`
    const opening = JSON.stringify({
      ...optionsFor('other-cache'),
      settings: { ...settings, secretAccessKey: '' },
      log: {},
    })
    return {
      storage: await openS3Storage(optionsFor('cache')),
      elsewhere: () => openS3Storage(optionsFor('elsewhere')),
      sources,
      script: `await (async () => {
      const options = ${opening}
      options.settings.secretAccessKey = ${secret}
      options.log = { debug() {}, warn() {} }
      return (await import('${at('../../src/platform/storage/open-s3.ts')}')).openS3Storage(options)
    })()`,
      close: () => folder.remove(),
    }
  }

/** One suite for all: what a storage promises, it promises wherever it is. */
export const STORAGE_ADAPTERS = [
  { name: 'a local folder', open: openLocal },
  { name: 'a bucket of S3', open: openS3(false) },
  { name: 'a bucket of S3, with copies of what is put', open: openS3(true) },
]
