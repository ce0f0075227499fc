import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { createActivityRepo } from './activity.repo.ts'
import { createActivityService } from './activity.service.ts'

export interface ActivityDeps {
  db: Db
  clock: Clock
}

/** What is noted of people. It is shown by `activity-screen`, which stands above all that it gathers from. */
export const createActivity = ({ db, clock }: ActivityDeps) => ({
  service: createActivityService({ clock, repo: createActivityRepo(db) }),
})
