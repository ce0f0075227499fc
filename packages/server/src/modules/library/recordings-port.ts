import type { Readable } from 'node:stream'
import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { DomainError } from '../../errors.ts'
import type { RecordedOf } from './low-room.ts'

/** What the library asks of recordings, which are played from its files and take room beside them. */
export interface RecordingsPort {
  /** Whether a master is needed to play what was sent. */
  readonly isKeyKept: (key: string) => Promise<boolean>
  /** What they take of a user's room. */
  readonly bytesOf: RecordedOf
  /** Those of a user: they have folders in the storage, as videos do. */
  readonly idsOf: (userId: string) => Promise<readonly string[]>
  /** The end of a plan takes the videos, and what needs them. */
  readonly expireAllOf: (userId: string) => Promise<void>
  /** One of a user as a file, for an address that `importRecording` was given. */
  readonly open: (userId: string, address: URL, signal: AbortSignal) => Promise<{ body: Readable; sizeBytes: null }>
}

export const RECORDING_PROTOCOL = 'recording:'

export const keptByRecording = (): DomainError => new DomainError('video_in_recording', RECORDING_TEXTS.keepsVideo)
