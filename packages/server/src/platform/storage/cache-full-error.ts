import { DiskFullError } from '../../errors.ts'

/** Everything that it may hold is in use: nothing more can be played from here. */
export class CacheFullError extends DiskFullError {
  constructor() {
    super('the cache of videos has no room: see CACHE_MAX_GB and the disk of CACHE_DIR')
  }
}
