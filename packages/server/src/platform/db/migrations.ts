import type { Migration } from 'kysely/migration'
import { firstMigrations } from './migrations/0001-to-0013.ts'
import { knownDevices } from './migrations/0016-known-devices.ts'
import { secondFactors } from './migrations/0017-second-factors.ts'
import { mailLinks } from './migrations/0018-mail-links.ts'
import { reservations } from './migrations/0019-reservations.ts'
import { oldRows } from './migrations/0020-old-rows.ts'
import { lanes } from './migrations/0021-lanes.ts'
import { reasonCodes } from './migrations/0022-reason-codes.ts'
import { renditions } from './migrations/0023-renditions.ts'
import { videoUses } from './migrations/0024-video-uses.ts'
import { outbox } from './migrations/0025-outbox.ts'
import { sequencePosition } from './migrations/0026-sequence-position.ts'
import { broadcasts } from './migrations/0027-broadcasts.ts'
import { processingVideos } from './migrations/0028-processing-videos.ts'
import { loopLists } from './migrations/0029-loop-lists.ts'
import { targets } from './migrations/0030-targets.ts'
import { playlists } from './migrations/0031-playlists.ts'
import { schedules } from './migrations/0032-schedules.ts'
import { targetNames } from './migrations/0033-target-names.ts'
import { recipes } from './migrations/0034-recipes.ts'
import { scheduleAttempts } from './migrations/0035-schedule-attempts.ts'
import { outboxReaders } from './migrations/0036-outbox-readers.ts'
import { analytics } from './migrations/0037-analytics.ts'
import { alerts } from './migrations/0038-alerts.ts'
import { alertChannels } from './migrations/0039-alert-channels.ts'
import { webhooks } from './migrations/0040-webhooks.ts'
import { toldOnce } from './migrations/0041-told-once.ts'
import { webhookTurns } from './migrations/0042-webhook-turns.ts'
import { recordings } from './migrations/0043-recordings.ts'
import { branding } from './migrations/0044-branding.ts'
import { leases } from './migrations/0045-leases.ts'
import { machineFigures } from './migrations/0046-machine-figures.ts'
import { remoteStorage } from './migrations/0047-remote-storage.ts'
import { manyStreams } from './migrations/0048-many-streams.ts'
import { scheduleClock } from './migrations/0049-schedule-clock.ts'
import { analyticsSums } from './migrations/0051-analytics-sums.ts'
import { playlistTotals } from './migrations/0052-playlist-totals.ts'
import { recordingLines } from './migrations/0053-recording-lines.ts'
import { ownerProofs } from './migrations/0055-owner-proofs.ts'
import { references } from './migrations/0057-references.ts'
import { oldSpans } from './migrations/0058-old-spans.ts'
import { scheduleMends } from './migrations/0059-schedule-mends.ts'
import { doubtedClocks } from './migrations/0061-doubted-clocks.ts'
import { boundedReads } from './migrations/0062-bounded-reads.ts'
import { listedVideos } from './migrations/0063-listed-videos.ts'
import { madeSizes } from './migrations/0067-made-sizes.ts'
import { endedStreams } from './migrations/0068-ended-streams.ts'
import { deletedSchedules } from './migrations/0069-deleted-schedules.ts'
import { statBroadcasts } from './migrations/0070-stat-broadcasts.ts'
import { clockDifferences } from './migrations/0071-clock-differences.ts'

/** Run in the order of their names, each once, on SQLite and on PostgreSQL alike. Never edit one that has shipped: add another. */
export const migrations: Record<string, Migration> = {
  ...firstMigrations,
  '0016-known-devices': knownDevices,
  '0017-second-factors': secondFactors,
  '0018-mail-links': mailLinks,
  '0019-reservations': reservations,
  '0020-old-rows': oldRows,
  '0021-lanes': lanes,
  '0022-reason-codes': reasonCodes,
  '0023-renditions': renditions,
  '0024-video-uses': videoUses,
  '0025-outbox': outbox,
  '0026-sequence-position': sequencePosition,
  '0027-broadcasts': broadcasts,
  '0028-processing-videos': processingVideos,
  '0029-loop-lists': loopLists,
  '0030-targets': targets,
  '0031-playlists': playlists,
  '0032-schedules': schedules,
  '0033-target-names': targetNames,
  '0034-recipes': recipes,
  '0035-schedule-attempts': scheduleAttempts,
  '0036-outbox-readers': outboxReaders,
  '0037-analytics': analytics,
  '0038-alerts': alerts,
  '0039-alert-channels': alertChannels,
  '0040-webhooks': webhooks,
  '0041-told-once': toldOnce,
  '0042-webhook-turns': webhookTurns,
  '0043-recordings': recordings,
  '0044-branding': branding,
  '0045-leases': leases,
  '0046-machine-figures': machineFigures,
  '0047-remote-storage': remoteStorage,
  '0048-many-streams': manyStreams,
  '0049-schedule-clock': scheduleClock,
  '0051-analytics-sums': analyticsSums,
  '0052-playlist-totals': playlistTotals,
  '0053-recording-lines': recordingLines,
  '0055-owner-proofs': ownerProofs,
  '0057-references': references,
  '0058-old-spans': oldSpans,
  '0059-schedule-mends': scheduleMends,
  '0061-doubted-clocks': doubtedClocks,
  '0062-bounded-reads': boundedReads,
  '0063-listed-videos': listedVideos,
  '0067-made-sizes': madeSizes,
  '0068-ended-streams': endedStreams,
  '0069-deleted-schedules': deletedSchedules,
  '0070-stat-broadcasts': statBroadcasts,
  '0071-clock-differences': clockDifferences,
}
