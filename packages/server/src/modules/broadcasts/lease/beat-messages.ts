import type { ToldLoad, WorkerState } from '../store/worker-leases.repo.ts'

/** What the thread needs to know at its start. */
export interface ThreadSettings {
  readonly worker: string
  readonly databaseUrl: string
  readonly redisUrl: string
  /** Where the warden reads until when ffmpegs may run. */
  readonly deadlinePath: string
  readonly mostUnheard: number
}

export type ToThread =
  | { readonly type: 'tell'; readonly told: ToldLoad }
  | {
      readonly type: 'keep'
      readonly incarnation: string
      readonly buffer: SharedArrayBuffer
      readonly told: ToldLoad
    }

export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'state'; readonly incarnation: string; readonly state: WorkerState }
  | { readonly type: 'log'; readonly level: 'debug' | 'warn'; readonly fields: object; readonly text: string }
