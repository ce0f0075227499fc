import { hash } from 'node:crypto'
import { extentArgs, likenessArgs } from '@siarin/media/argv/probe'
import type { LoopList } from '@siarin/media/loop-plan'
import { listedPackets } from './listed-packets.ts'
import { SourceMissingError } from './source-errors.ts'

/** What ffprobe answers; null: it says that the file cannot be read. Nothing: nobody knows. `timeoutMs`: how long it may take at most. */
export type Probe = (args: string[], timeoutMs?: number) => Promise<string | null>

/** A path never changes what it stands for, unless a disk fails or somebody writes to it behind our back: then its version is another. */
export interface FileVersion {
  readonly path: string
  readonly version?: string
}

/** A file of which nobody asks any more is forgotten with the oldest. */
const MAX_KNOWN = 10_000
/** A file that cannot be read is looked at again after this, or as soon as it is another one: the disk may have failed for a moment. */
const UNREADABLE_MS = 10 * 60_000

/** What is found out once about each file. */
export function createFileFacts(probe: Probe, now: () => number = () => performance.now()) {
  const extents = new Map<string, LoopList>()
  const likenesses = new Map<string, string>()
  const packets = new Map<string, number | null>()
  /** Since when. Without this, a list of many such files would keep ffprobe busy for ever. */
  const unreadable = new Map<string, number>()

  /** The list that plays a file as it is, so that files and looped originals can follow each other. */
  async function listOf(file: FileVersion): Promise<LoopList> {
    const key = keyOf(file)
    const known = extents.get(key)
    if (known) return known
    const [start, seconds] = ((await ask(file, extentArgs(file.path))) ?? '').split(',').map(Number)
    if (seconds === undefined || !(seconds > 0))
      throw new SourceMissingError('the length of a video cannot be read', { why: 'damaged' })
    const list = { seconds, startSeconds: Number.isFinite(start) ? (start ?? 0) : 0, outpoint: null, bodySeconds: null }
    remember(extents, key, list)
    return list
  }

  /** A mark of its parameters, which take much room where it has many tracks. Null: it cannot be read. */
  async function likenessOf(file: FileVersion): Promise<string | null> {
    const key = keyOf(file)
    const known = likenesses.get(key)
    if (known !== undefined) return known
    const parameters = await ask(file, likenessArgs(file.path))
    if (!parameters) return parameters
    const likeness = hash('sha256', parameters)
    remember(likenesses, key, likeness)
    return likeness
  }

  /** How many it lists; see listedPackets. */
  async function packetsOf(file: FileVersion): Promise<number | null> {
    const key = keyOf(file)
    const known = packets.get(key)
    if (known !== undefined) return known
    const listed = await listedPackets(file.path)
    remember(packets, key, listed)
    return listed
  }

  async function ask(file: FileVersion, args: string[]): Promise<string | null> {
    const key = keyOf(file)
    if (now() - (unreadable.get(key) ?? Number.NEGATIVE_INFINITY) < UNREADABLE_MS) return null
    const answer = await probe(args)
    if (answer === null) remember(unreadable, key, now())
    else unreadable.delete(key)
    return answer
  }

  return { listOf: askedOnce(listOf), likenessOf: askedOnce(likenessOf), packetsOf: askedOnce(packetsOf) }
}

const keyOf = ({ path, version = '' }: FileVersion): string => `${version} ${path}`

/** A second caller waits while the same is being found out: an item is looked at ahead, and asked for in earnest soon after. */
function askedOnce<T>(find: (file: FileVersion) => Promise<T>): (file: FileVersion) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()
  return (file) => {
    const key = keyOf(file)
    const asked = underWay.get(key) ?? find(file).finally(() => underWay.delete(key))
    underWay.set(key, asked)
    return asked
  }
}

export function remember<T>(known: Map<string, T>, key: string, fact: T): void {
  known.set(key, fact)
  const [oldest] = known.keys()
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
}
