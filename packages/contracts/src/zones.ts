/** Times on the wall, for those who know nothing of schedules. */
export { DEFAULT_ZONE } from './schedules/schedule-rule.ts'
export { DAY_MS, dateAt, dateOfDay, dayNumber, instantOf } from './schedules/wall-time.ts'
