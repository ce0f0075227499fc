import type { Generated } from 'kysely'

/** Files that nobody needs any more and that a store elsewhere may still have. */
export interface StorageRemovalTable {
  prefix: string
  tries: Generated<number>
  due_at: number
}

/** A resumable upload that a request writes to, on one of the machines. */
export interface UploadLockTable {
  id: string
  holder: string
  /** Rises for as long as the holder lives: by it the others see that, whatever their clocks say. */
  beat: Generated<number>
  /** 1: another request waits for it. */
  is_wanted: Generated<number>
}
