const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * Statements for both databases. The original may still be on air: a copy neither sends what it finds wanted nor ends anything at a
 * platform. Each broadcast has ended here at the moment of the backup, and its owner may begin it again.
 */
export function pauseStatements({
  takenAt,
  schema,
  cause,
}: {
  takenAt: number
  /** The newest migration of the copy: its own version's tables are all that it has. */
  schema: string
  cause: string
}): string {
  const ended = quoted(JSON.stringify({ at: 'ended', reason: 'stopped', cause }))
  return [
    `insert into stream_events (id, stream_id, at, kind, reason)
      select 'restored-${takenAt}-' || id, id, ${takenAt}, 'ended', ${quoted(cause)} from streams where phase <> 'ended'`,
    `update streams set on_air_ms = on_air_ms + ${takenAt} - live_since
      where phase <> 'ended' and live_since is not null and live_since < ${takenAt}`,
    `update streams set phase = 'ended', desired = 'stopped', end_cause = ${quoted(cause)}, state = ${ended},
      reason = ${quoted(cause)}, ended_at = ${takenAt}, live_since = null, next_video_id = null, on_fallback = 0,
      worker = null, pid = null, pid_birth = null
      where phase <> 'ended'`,
    `update platform_broadcasts set ended_at = ${takenAt} where ended_at is null`,
    'delete from workers',
    ...(schema >= '0024' ? ['delete from video_uses'] : []),
    ...(schema >= '0027'
      ? [
          `update broadcasts set desired = 'stopped', end_cause = ${quoted(cause)}, next_video_id = null,
            ended_at = ${takenAt} where ended_at is null`,
        ]
      : []),
    // Nor does a copy start anything by itself.
    ...(schema >= '0032'
      ? [
          `update schedules set paused_at = ${takenAt} where paused_at is null`,
          `delete from schedule_occurrences where state in ('due', 'starting')`,
          `update schedule_occurrences set state = 'ended', next_try_at = null where state = 'started'`,
        ]
      : []),
  ]
    .map((statement) => `${statement};\n`)
    .join('')
}
