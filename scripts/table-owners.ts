/** Each table is named in the SQL of one module: what others need of it they ask that module for. */
export const TABLE_OWNERS: Readonly<Record<string, string>> = {
  users: 'identity',
  sessions: 'identity',
  known_devices: 'identity',
  second_factors: 'identity',
  recovery_codes: 'identity',
  mail_links: 'identity',
  activity: 'activity',
  videos: 'library',
  renditions: 'library',
  rendition_orders: 'library',
  upload_reservations: 'library',
  upload_locks: 'library',
  video_uses: 'library',
  low_rooms: 'library',
  playlists: 'playlists',
  playlist_items: 'playlists',
  broadcasts: 'broadcasts',
  streams: 'broadcasts',
  stream_events: 'broadcasts',
  sent_pieces: 'broadcasts',
  workers: 'broadcasts',
  worker_leases: 'broadcasts',
  machine_figures: 'system',
  article_views: 'articles',
  platform_accounts: 'accounts',
  online_sources: 'platforms',
  targets: 'targets',
  platform_broadcasts: 'platforms',
  schedules: 'schedules',
  schedule_occurrences: 'schedules',
  schedule_clocks: 'platform/clock-trust.ts',
  recordings: 'recordings',
  recording_files: 'recordings',
  recording_lines: 'recordings',
  recording_chunks: 'recordings',
  recording_parts: 'recordings',
  file_facts: 'recordings',
  brand_kits: 'branding',
  brand_looks: 'branding',
  stat_broadcasts: 'analytics',
  stat_streams: 'analytics',
  stat_spans: 'analytics',
  stat_sums: 'analytics',
  stat_samples: 'analytics',
  stat_minutes: 'analytics',
  stat_hours: 'analytics',
  stat_places: 'analytics',
  stat_reports: 'analytics',
  alert_settings: 'alerts',
  alert_incidents: 'alerts',
  alerts: 'alerts',
  alert_channels: 'alerts',
  alert_deliveries: 'alerts',
  telegram_links: 'alerts',
  telegram_bots: 'alerts',
  push_keys: 'alerts',
  webhook_endpoints: 'webhooks',
  webhook_deliveries: 'webhooks',
  // A module that has something to tell writes it there, and one that tells others reads it, by these files alone.
  outbox: 'platform/outbox',
  outbox_readers: 'platform/outbox',
  storage_removals: 'platform/storage',
}

/** Whose subject is the database as a whole, also that of an earlier version. */
export const WHOLE_DATABASE: readonly string[] = [
  // They make and change the tables.
  'platform/db/migrations.ts',
  'platform/db/migrations/',
  // Copies of any version, which no module of this version could read.
  'platform/backup/',
]

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm
/** The query builder's calls, and the rules about old rows, which name their table too. */
const CALLS =
  /\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|using|(?:inner|left|right|full|cross)Join|sql\.table)\(\s*\[?\s*(['"`][^)\]]*)|\btable: (['"`]\w+)/g
/** SQL as text, wherever it stands. */
const STATEMENTS = /\b(?:from|join|into|update|table|truncate)\s+(?:only\s+)?["]?([a-z_]+)\b/gi

/** The tables that a source names in SQL. */
export function tablesIn(source: string): Set<string> {
  const code = source.replace(COMMENTS, '')
  const called = [...code.matchAll(CALLS)].flatMap(([, names = '', table = '']) =>
    [...`${names},${table}`.matchAll(/['"`](\w+)/g)].map(([, name = '']) => name),
  )
  const stated = [...code.matchAll(STATEMENTS)].map(([, name = '']) => name.toLowerCase())
  return new Set([...called, ...stated].filter((name) => name in TABLE_OWNERS))
}
