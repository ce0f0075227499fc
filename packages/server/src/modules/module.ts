import type { Routes } from '../http/types.ts'
import type { CallerHooks } from './identity/caller-hooks.ts'

/** What the program knows of each module, beside the service that it hands to others. */
export interface Module {
  /** In the web role. */
  readonly routes?: (hooks: CallerHooks) => Routes
  /** In the worker role: takes up work, also what an earlier run left. */
  start?(): Promise<void> | void
  /** Also called where it was not started. */
  stop?(): Promise<void> | void
}
