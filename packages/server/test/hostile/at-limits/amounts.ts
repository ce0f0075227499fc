import { ALERT_CHANNELS_MAX, ALERTS_KEPT_MAX } from '@siarin/contracts/alerts'
import { ANALYTICS_DAYS_MAX } from '@siarin/contracts/analytics-queries'
import { MOST_TARGETS } from '@siarin/contracts/broadcasts'
import { OPEN_UPLOADS_MAX, TARGETS_MAX, VIDEOS_MAX } from '@siarin/contracts/limits'
import { planOf } from '@siarin/contracts/plans'
import { PLAYLIST_ITEMS_MAX, PLAYLISTS_MAX } from '@siarin/contracts/playlists'
import { RECORDING_MAX_HOURS } from '@siarin/contracts/recordings'
import { RENDITIONS_MAX } from '@siarin/contracts/rendition-texts'
import { EXCEPTIONS_MAX, WINDOWS_MAX } from '@siarin/contracts/schedules/schedule-rule'
import { SCHEDULES_MAX } from '@siarin/contracts/schedules/schedules'

/** How much of everything an account has. What has a limit follows it; where only room or time is a limit, it is as much as a year brings. */
export interface Amounts {
  readonly videos: number
  readonly renditionsEach: number
  readonly playlists: number
  readonly itemsEach: number
  readonly schedules: number
  readonly windowsEach: number
  readonly exceptionsEach: number
  readonly targets: number
  readonly accountsEach: number
  readonly onlineSources: number
  readonly looks: number
  readonly webhooks: number
  readonly deliveriesWaiting: number
  readonly deliveriesFinishedEach: number
  readonly channels: number
  readonly alerts: number
  readonly incidents: number
  readonly sessions: number
  readonly devices: number
  readonly activities: number
  readonly uploads: number
  readonly facts: number
  readonly broadcasts: number
  readonly eventsEach: number
  readonly recordings: number
  readonly recordingMs: number
  /** The recording whose targets were cut again and again: how many, and how often. */
  readonly cutTargets: number
  readonly cutEveryMs: number
  readonly videosInRecording: number
  readonly recordedFiles: number
  readonly figureTargets: number
  readonly sampleHours: number
  readonly minuteDays: number
  readonly hourDays: number
  readonly spans: number
  /** What the account that is deleted has less of. */
  readonly ofDoomed: Partial<Omit<Amounts, 'ofDoomed'>>
}

/** By modules of the server, which keep them to themselves. */
const KEPT = { sources: 50, sessions: 200, devices: 50, activityKinds: 20, perActivityKind: 50 }
const FILE_SECONDS = 4

export const WHOLE: Amounts = {
  videos: VIDEOS_MAX,
  renditionsEach: RENDITIONS_MAX,
  playlists: PLAYLISTS_MAX,
  itemsEach: PLAYLIST_ITEMS_MAX,
  schedules: SCHEDULES_MAX,
  windowsEach: WINDOWS_MAX,
  exceptionsEach: EXCEPTIONS_MAX,
  targets: TARGETS_MAX,
  accountsEach: 50,
  onlineSources: KEPT.sources,
  looks: 100,
  webhooks: planOf('business').limits.webhooks,
  deliveriesWaiting: 20_000,
  deliveriesFinishedEach: 1_000,
  channels: ALERT_CHANNELS_MAX,
  alerts: ALERTS_KEPT_MAX,
  incidents: 1_000,
  sessions: KEPT.sessions,
  devices: KEPT.devices,
  activities: KEPT.activityKinds * KEPT.perActivityKind,
  uploads: OPEN_UPLOADS_MAX,
  facts: 100_000,
  broadcasts: 5_000,
  eventsEach: 20,
  recordings: 1_000,
  recordingMs: RECORDING_MAX_HOURS * 3_600_000,
  cutTargets: MOST_TARGETS,
  cutEveryMs: FILE_SECONDS * 1000,
  videosInRecording: 510,
  recordedFiles: (RECORDING_MAX_HOURS * 3600) / FILE_SECONDS,
  figureTargets: MOST_TARGETS,
  sampleHours: 48,
  minuteDays: 30,
  hourDays: ANALYTICS_DAYS_MAX,
  spans: 1_000_000,
  ofDoomed: {},
}

/**
 * Enough for what grows with it to be seen at once, and little enough for every change to be tried with it. What has many spans shows in them,
 * so there are few targets: the hours of a year of twenty took most of the time, and showed nothing more.
 */
export const QUICK: Amounts = {
  ...WHOLE,
  videos: 300,
  playlists: 40,
  schedules: 60,
  deliveriesWaiting: 1_000,
  deliveriesFinishedEach: 100,
  facts: 2_000,
  broadcasts: 500,
  recordings: 200,
  cutTargets: 2,
  videosInRecording: 100,
  recordedFiles: 1_000,
  figureTargets: 4,
  sampleHours: 1,
  minuteDays: 2,
  spans: 80_000,
  ofDoomed: {
    ...{ videos: 20, playlists: 5, schedules: 5, alerts: 100, broadcasts: 50, recordings: 20, cutTargets: 1 },
    ...{ figureTargets: 2, spans: 10_000, minuteDays: 1 },
  },
}
