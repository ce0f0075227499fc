import type { Readable } from 'node:stream'
import type { FileFacts, ReadConditions, ReadVerdict } from './judge-read.ts'

/** `body`: the bytes that were asked for; null where the verdict is that none are sent. */
export interface OpenedFile {
  readonly facts: FileFacts
  readonly verdict: ReadVerdict
  readonly body: Readable | null
}

/** What of stored files fits on this machine beside those that are pinned. */
export interface PinRoom {
  /** The largest file that could be pinned now. */
  readonly bytes: number
  /** How large the files here are on average; 0: there are none. */
  readonly usualBytes: number
}

/** A stored file as a path of this machine, for tools that read nothing else. */
export interface Pin {
  readonly path: string
  /** From here on the path may go. A second call does nothing. */
  release(): void
}

/**
 * Where videos and their pictures live. We generate the keys ('userId/videoId/original.mp4'), users never do. A key is written once: its
 * content never changes, so a copy of it can be kept for as long as anybody likes. Nothing outside an adapter knows where a file lies.
 */
export interface Storage {
  /**
   * Takes over a finished file of this machine: moves it where that is possible. Once it answers, a power cut does not undo it; until then
   * nobody sees the key. Refuses a key that is taken (`KeyTakenError`); two writers must not race for one, so keys carry a random part.
   */
  put(key: string, fromFile: string, options?: PutOptions): Promise<void>
  /** Null: there is no such file. Any other trouble is thrown. */
  head(key: string): Promise<FileFacts | null>
  /** Null: there is no such file. The caller reads the body to its end, or destroys it. It breaks off where the file is removed. */
  open(key: string, conditions?: ReadConditions): Promise<OpenedFile | null>
  /**
   * Everything under a prefix that ends with '/', or one file. Absent ones are no error. Their bytes are free soon, also where somebody reads
   * them; what is pinned goes with its pin.
   */
  remove(prefix: string): Promise<void>
  /** Throws `NotStoredError` where there is no such file. The path stays until the pin is released. */
  pin(key: string): Promise<Pin>
  /** Brings a file to this machine ahead of a pin, where that takes long. Left out: it does not. */
  prefetch?(key: string): Promise<void>
  /** Left out: a pin takes no room. */
  room?(): Promise<PinRoom>
  /** Clears copies away of what others have removed, and breaks off who reads it, on this machine alone. Left out: there are none. */
  clearCopies?(): Promise<void>
  /** Ends what was begun before a moment and never became a file, where the store keeps such. `isBeingSent`: not yet. */
  abortUnfinished?(before: number, isBeingSent: (key: string) => Promise<boolean>): Promise<number>
  /** Every key that is there, in no order: for those who look for files that belong to nothing. */
  list(): AsyncIterable<string>
  /** There was nothing in it when it was opened. Left out: nobody has looked. */
  readonly wasEmpty?: boolean
}

interface PutOptions {
  /** Broadcasts play it, or what they play is made of it. Left out: nobody needs it as a file of this machine soon. */
  readonly isPlayed?: boolean
}

/** One stored file, for callers that need no key. */
export interface StoredFile {
  head(): Promise<FileFacts | null>
  open(conditions?: ReadConditions): Promise<OpenedFile | null>
  pin(): Promise<Pin>
}

export const storedFile = (storage: Storage, key: string): StoredFile => ({
  head: () => storage.head(key),
  open: (conditions) => storage.open(key, conditions),
  pin: () => storage.pin(key),
})

/** For as long as `use` takes. */
export async function withPinned<T>(file: Pick<StoredFile, 'pin'>, use: (path: string) => Promise<T>): Promise<T> {
  const { path, release } = await file.pin()
  try {
    return await use(path)
  } finally {
    release()
  }
}

export class KeyTakenError extends Error {
  constructor(key: string) {
    super(`${key} is stored already, and stored files do not change`)
  }
}

export class NotStoredError extends Error {
  constructor(key: string) {
    super(`${key} is not stored`)
  }
}
