import type { Readable } from 'node:stream'
import type { DataStore, Upload } from '@tus/server'
import type { Reservation } from '../reserve-room.ts'

/** What both stores ask the library for. */
export interface UploadStoreDeps {
  /** Where its files lie: all of a local store, else the parts that are being sent. */
  readonly directory: string
  readonly expirationPeriodInMilliseconds: number
  readonly reserve: (upload: Upload) => Promise<Reservation>
  readonly release: (uploadId: string) => Promise<void>
  /** Whether room is reserved for it: bytes came within its day. */
  readonly isHeld: (uploadId: string) => Promise<boolean>
  /** Whether it is complete and waits for us: its sender has nothing left to send. */
  readonly isWaiting: (uploadId: string) => boolean
  /** Whether it has become a video, whose file must stay. */
  readonly isVideo: (uploadId: string) => Promise<boolean>
}

/** Where the bytes of a complete upload are: a file of this machine, or a key of the storage. */
export type Arrived = { readonly file: string } | { readonly key: string }

/** Where resumable uploads lie until they are videos: a folder of this machine, or a store that all machines see. */
export interface UploadStore extends DataStore {
  /** What is written within `work` comes from this body. */
  withBody<T>(body: Readable, work: () => Promise<T>): Promise<T>
  arrivedOf(uploadId: string): Arrived
  /** False: it was cancelled, or went with its owner's account. */
  isThere(uploadId: string): Promise<boolean>
  /** Null: its sender has not sent all of it, or it is gone. */
  completeOf(uploadId: string): Promise<Upload | null>
  ids(): Promise<string[]>
  /** Before anybody can call: what an earlier run of this program left complete, once what it left in halves is cleared away. */
  leftComplete(forget: (uploadId: string) => Promise<void>): Promise<string[]>
  /** It has become a video, or never will; the latter's bytes go too. */
  forget(uploadId: string): Promise<void>
  forgetOf(userId: string): Promise<void>
}

export type CreateUploadStore = (deps: UploadStoreDeps) => UploadStore
