/** What programs that run apart have to share, and why. */
const SHARED = {
  DATABASE_URL: 'all machines work on one database, and SQLite is of one machine',
  REDIS_URL: 'it carries the work from one to the other',
  APP_SECRET: 'each machine would make one of its own, and none could read the keys that another has stored',
} as const

const NEEDS_FILES =
  'S3_BUCKET (with the other S3_* settings) is needed when ROLE is web or worker: every machine reads the same videos. ' +
  'Where DATA_DIR lies on a file system that all machines share, set SHARED_DATA_DIR=true instead'

/** Everything that is missing for this role, together: a person who sets machines up should not have to start them five times. */
export function roleFaults(given: Readonly<Record<string, string>>): string[] {
  const { ROLE: role = 'all' } = given
  if (!['web', 'worker'].includes(role)) return []
  const missing = Object.entries(SHARED).filter(([name]) => !given[name])
  const faults = missing.map(([name, why]) => `${name} is needed when ROLE is web or worker: ${why}`)
  const isShared = ['true', '1'].includes(given['SHARED_DATA_DIR'] ?? '')
  return given['S3_BUCKET'] || isShared ? faults : [...faults, NEEDS_FILES]
}
