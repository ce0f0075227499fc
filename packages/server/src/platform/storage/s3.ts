import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { DeleteObjectCommand, HeadObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import type { FileCache } from './file-cache.ts'
import { type FileFacts, judgeRead, type ReadVerdict } from './judge-read.ts'
import { createOpenBodies } from './open-bodies.ts'
import { ANSWER_MS, asAway, eachAtOnce, isAbsent, type S3Place, within } from './s3-client.ts'
import { openBody } from './s3-get.ts'
import { putFile } from './s3-put.ts'
import { abortUnfinished } from './s3-uploads.ts'
import { KeyTakenError, type OpenedFile, type Storage } from './storage.ts'
import { isKey, isPrefix } from './storage-keys.ts'

const REMOVED_AT_ONCE = 8
const MOST_KNOWN = 2_000

function assertKey(key: string, isRight = isKey): void {
  if (!isRight(key)) throw new Error(`not a storage key: ${key}`)
}

/** Null: there is no such object. */
export async function headObject({ client, bucket, prefix }: S3Place, key: string): Promise<FileFacts | null> {
  const asked = new HeadObjectCommand({ Bucket: bucket, Key: prefix + key })
  try {
    const found = await within(ANSWER_MS, (abortSignal) => client.send(asked, { abortSignal }))
    return {
      bytes: found.ContentLength ?? 0,
      etag: found.ETag ?? '',
      modifiedAt: found.LastModified ?? new Date(0),
    }
  } catch (error) {
    if (isAbsent(error)) return null
    throw asAway(error)
  }
}

/** What the store has, asked as seldom as possible. */
function createObjects(place: S3Place, bodies: Pick<ReturnType<typeof createOpenBodies>, 'add'>) {
  /** What has been asked before: content never changes, so that reading a part takes one call, not two. */
  const known = new Map<string, FileFacts>()

  async function ask(key: string): Promise<FileFacts | null> {
    const facts = await headObject(place, key)
    known.delete(key)
    if (facts) known.set(key, facts)
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '')
    return facts
  }

  async function bodyOf(key: string, facts: FileFacts, verdict: ReadVerdict): Promise<Readable | null> {
    if (verdict.kind !== 'whole' && verdict.kind !== 'part') return null
    if (facts.bytes === 0) return Readable.from([])
    const { start, end } = verdict.kind === 'part' ? verdict.range : { start: 0, end: facts.bytes - 1 }
    return bodies.add(key, await openBody(place, place.prefix + key, { start, end, etag: facts.etag }))
  }

  async function openStored(key: string, conditions: Parameters<Storage['open']>[1] = {}): Promise<OpenedFile | null> {
    const remembered = known.get(key)
    const facts = remembered ?? (await ask(key))
    if (!facts) return null
    const verdict = judgeRead(facts, conditions)
    try {
      return { facts, verdict, body: await bodyOf(key, facts, verdict) }
    } catch (error) {
      known.delete(key)
      if (isAbsent(error)) return null
      throw asAway(error)
    }
  }

  return {
    ask,
    open: openStored,
    forget(prefixOrKey: string): void {
      for (const key of known.keys()) if (key.startsWith(prefixOrKey)) known.delete(key)
    },
  }
}

interface S3StorageDeps {
  readonly place: S3Place
  readonly cache: FileCache
  /** Whether what broadcasts play is kept here as a copy when it is put: it is likely to be played from here. */
  readonly keepsPut: boolean
}

/** A bucket of a store that speaks S3, with copies on this machine of what is read as a file. */
export function createS3Storage({ place, cache, keepsPut }: S3StorageDeps): Storage {
  const { client, bucket, prefix } = place
  const bodies = createOpenBodies()
  const objects = createObjects(place, bodies)

  async function openCopy(key: string, verdict: ReadVerdict): Promise<Readable | null> {
    if (verdict.kind !== 'whole' && verdict.kind !== 'part') return null
    const { path, release } = await cache.pin(key)
    const body = createReadStream(path, verdict.kind === 'part' ? verdict.range : {})
    return bodies.add(key, body.once('close', release))
  }

  /** Pages of up to a thousand. */
  async function* namesBelow(below: string): AsyncGenerator<string> {
    const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: below })
    for await (const { Contents = [] } of pages) for (const { Key } of Contents) if (Key !== undefined) yield Key
  }

  const removeObject = async (name: string): Promise<void> => {
    await within(ANSWER_MS, (abortSignal) =>
      client.send(new DeleteObjectCommand({ Bucket: bucket, Key: name }), { abortSignal }),
    ).catch((error) => {
      if (!isAbsent(error)) throw error
    })
  }

  return {
    async put(key, fromFile, { isPlayed = false } = {}) {
      assertKey(key)
      if (await objects.ask(key)) throw new KeyTakenError(key)
      const { size } = await stat(fromFile)
      await putFile(place, prefix + key, { file: fromFile, bytes: size })
      const facts = keepsPut && isPlayed ? await objects.ask(key).catch(() => null) : null
      if (facts?.bytes === size) await cache.adopt(key, facts, fromFile).catch(() => {})
      await rm(fromFile, { force: true })
    },

    /** What is here as a copy is there: a store that is away for a while must not keep it from being played. */
    async head(key) {
      assertKey(key)
      return cache.factsOf(key) ?? (await objects.ask(key))
    },

    async open(key, conditions = {}) {
      assertKey(key)
      const copied = cache.factsOf(key)
      if (!copied) return objects.open(key, conditions)
      const verdict = judgeRead(copied, conditions)
      return { facts: copied, verdict, body: await openCopy(key, verdict) }
    },

    async remove(prefixOrKey) {
      assertKey(prefixOrKey, isPrefix)
      await cache.forget(prefixOrKey)
      // A copy goes with its last reader.
      bodies.end(prefixOrKey)
      // One by one: many stores refuse what today's client sends to remove several at once.
      if (prefixOrKey.endsWith('/')) await eachAtOnce(REMOVED_AT_ONCE, namesBelow(prefix + prefixOrKey), removeObject)
      else await removeObject(prefix + prefixOrKey)
      objects.forget(prefixOrKey)
    },

    async pin(key) {
      assertKey(key)
      return cache.pin(key)
    },

    async prefetch(key) {
      assertKey(key)
      const { release } = await cache.pin(key)
      release()
    },

    room: cache.room,

    async clearCopies() {
      // Each file of a bucket that is not there is absent too: this throws then.
      for await (const _ of namesBelow(prefix)) break
      for (const key of bodies.keys()) if (!(await objects.ask(key))) bodies.end(key)
      await cache.forgetGone()
    },

    abortUnfinished: (before, isBeingSent) => abortUnfinished(place, before, isBeingSent),

    async *list() {
      for await (const name of namesBelow(prefix)) {
        const key = name.slice(prefix.length)
        if (isKey(key)) yield key
      }
    },
  }
}
