import { createAccountBook } from '../modules/accounts/index.ts'
import { createActivity } from '../modules/activity/index.ts'
import { createArticles } from '../modules/articles/index.ts'
import { createBranding } from '../modules/branding/index.ts'
import { createStreams } from '../modules/broadcasts/index.ts'
import { endedNames } from '../modules/broadcasts/store/ended-names.ts'
import { looksOnAir } from '../modules/broadcasts/store/looks-on-air.ts'
import { playedRenditions } from '../modules/broadcasts/store/played-renditions.ts'
import { sentPieces } from '../modules/broadcasts/store/sent-pieces.ts'
import { isStoredTargetOnAir, streamsAtTargets } from '../modules/broadcasts/store/streams-at-targets.ts'
import { createIdentity } from '../modules/identity/index.ts'
import { createLibrary } from '../modules/library/index.ts'
import { summarizeVideos } from '../modules/library/read-videos.repo.ts'
import { createRenditionOrdersRepo } from '../modules/library/rendition-orders.repo.ts'
import type { Module } from '../modules/module.ts'
import { createPlans } from '../modules/plans/index.ts'
import { createPlatforms } from '../modules/platforms/index.ts'
import { createPlaylists } from '../modules/playlists/index.ts'
import { createPlaylistsRepo } from '../modules/playlists/playlists.repo.ts'
import { createRecordedFiles } from '../modules/recordings/files/index.ts'
import { createRecordedSessions } from '../modules/recordings/files/sessions.ts'
import { createRecordings } from '../modules/recordings/index.ts'
import { recordedBytes } from '../modules/recordings/recordings.repo.ts'
import { createSchedules } from '../modules/schedules/index.ts'
import { createSystem } from '../modules/system/index.ts'
import { createTargets } from '../modules/targets/index.ts'
import { programSteps } from '../platform/small-steps.ts'
import { createGatherers } from './create-gatherers.ts'
import { createTellers, hasDiskRoomOf } from './create-tellers.ts'
import { pauseLeftBehind } from './first-proof.ts'
import type { Platform } from './open-platform.ts'

export type Modules = ReturnType<typeof createModules>

/** Each is built from the platform and from those before it. */
export function createModules(platform: Platform) {
  const { db, log, config } = platform
  const people = createPeople(platform)
  const platforms = createPlatformsOf(platform, people)
  const system = createSystem({
    ...{ db, log, dataDir: config.dataDir, role: config.role, isAlone: platform.isAlone, worker: platform.workerId },
    workload: () => streams.workload(),
  })
  const articles = createArticles({ db })
  const branding = createBrandingOf(platform, people)
  // They are played from the library's files, and need it themselves.
  const recordingsOf = (): ReturnType<typeof createRecordings> => recordings
  const library = createLibraryOf(platform, people, { looks: branding.looks, recordingsOf })
  const targets = createTargetsOf(platform, people)
  const sessions = createRecordedSessions({ dataDir: config.dataDir, clock: platform.clock, worker: platform.workerId })
  const streams = createStreamsOf(platform, people, { platforms, library, targets, sessions, branding })
  const schedules = createSchedulesOf(platform, people, { streams, targets })
  const playlists = createPlaylists({
    ...{ db, clock: platform.clock, ffmpegPath: config.ffmpegPath, ffprobePath: config.ffprobePath },
    library: library.service,
    limitsOf: people.plans.service.libraryLimitsOf,
    isOnAir: streams.isPlaylistOnAir,
    isScheduled: schedules.namesPlaylist,
    onChanged: streams.playlistChanged,
    leaveEnded: endedNames(db).leavePlaylist,
  })
  const recordings = createRecordingsOf(platform, people, library)
  const recordedFiles = createRecordedFilesOf(platform, people, { streams, sessions, recordings })
  const tellers = createTellers(platform, people, streams)
  const gatherers = createGatherers(platform, people, { platforms, library, streams, recordings, tellers })
  const { identity, plans } = people
  const { accounts, accountRemovals, housekeeping, activityScreen } = gatherers
  /** They start in this order and stop in the opposite one: a module that gathers from others comes after them. */
  const inOrder: readonly Module[] = [
    identity,
    plans,
    platforms,
    system,
    articles,
    branding,
    library,
    targets,
    streams,
    schedules,
    playlists,
    recordings,
    recordedFiles,
    tellers.analytics,
    tellers.alerts,
    tellers.webhooks,
    accounts,
    accountRemovals,
    housekeeping,
    activityScreen,
  ]
  return { identity, plans, system, library, streams, inOrder }
}

export type People = ReturnType<typeof createPeople>
export type Platforms = ReturnType<typeof createPlatforms>
type RecordedSessions = ReturnType<typeof createRecordedSessions>
export type Library = ReturnType<typeof createLibrary>
type Targets = ReturnType<typeof createTargets>
export type Streams = ReturnType<typeof createStreams>
export type Recordings = ReturnType<typeof createRecordings>

/** Who somebody is, what is noted about them, and what they may do. */
function createPeople({ db, changes, sealer, clock, log, mailer, timings, trust, config }: Platform) {
  const activity = createActivity({ db, clock })
  const identity = createIdentity({
    ...{ db, changes, sealer, clock, log, mailer, timings },
    publicUrl: config.publicUrl,
    brand: config.brandName,
    activity: activity.service,
    pauseLeftBehind,
  })
  const plans = createPlans({
    ...{ db, clock, trust, log, timings },
    planOf: identity.planOf,
    trialDays: config.trialDays,
    enforced: config.enforcePlans,
    most: config.mostPerUser,
  })
  return { activity, identity, plans }
}

function createPlatformsOf(platform: Platform, { identity, plans }: People) {
  const { db, sealer, clock, trust, events, log, egress, timings, config } = platform
  return createPlatforms({
    ...{ db, sealer, clock, trust, events, log, egress, timings },
    accounts: createAccountBook({ db, sealer }),
    assertAccess: plans.service.assertAccess,
    keyMarkOf: identity.users.keyMarkOf,
    bigoApiUrl: config.bigoApiUrl,
    streamlabsApiUrl: config.streamlabsApiUrl,
  })
}

function createBrandingOf({ db, storage, clock, trust, log, timings, config }: Platform, { plans }: People) {
  const { dataDir, ffmpegPath } = config
  return createBranding({
    ...{ db, storage, clock, trust, log, timings, dataDir, ffmpegPath },
    plans: plans.service,
    async usedLooks(userId) {
      const made = await createRenditionOrdersRepo(db).looksOf(userId)
      return new Set([...made, ...(await looksOnAir(db)(userId))])
    },
  })
}

function createLibraryOf(
  platform: Platform,
  { activity, plans }: People,
  { looks, recordingsOf }: Pick<ReturnType<typeof createBranding>, 'looks'> & { recordingsOf: () => Recordings },
) {
  const { db, storage, queue, clock, events, log, sealer, egress, timings, keepWritten, reserve, config } = platform
  const { remoteUploads, trust, workerId: worker } = platform
  const { dataDir, ffmpegPath, ffprobePath, maxLongPreparations } = config
  return createLibrary({
    ...{ db, storage, queue, clock, events, log, sealer, egress, timings, keepWritten },
    ...{ dataDir, ffmpegPath, ffprobePath, maxLongPreparations, looks, remoteUploads, worker, trust },
    diskReserveBytes: () => config.diskReserveBytes + (reserve?.missingBytes() ?? 0),
    limitsOf: plans.service.libraryLimitsOf,
    roomPlanOf: plans.service.roomPlanOf,
    toBeCleared: plans.service.toBeCleared,
    noteStillEnded: plans.service.noteStillEnded,
    async noteCleared(userId) {
      await plans.service.noteCleared(userId)
      await activity.service.record({ userId, kind: 'videos-cleared', visitor: null })
    },
    mayWork: plans.service.mayWork,
    recordings: {
      isKeyKept: sentPieces(db).isKeyKept,
      bytesOf: recordedBytes,
      idsOf: (userId) => recordingsOf().idsOf(userId),
      expireAllOf: (userId) => recordingsOf().expireAllOf(userId),
      open: (...asked) => recordingsOf().open(...asked),
    },
    isPlayed: playedRenditions(db, createPlaylistsRepo(db)),
    leaveLists: createPlaylistsRepo(db).leaveLists,
    leaveEnded: endedNames(db).leaveVideo,
    isAlone: platform.isAlone,
    hasOwnFolder: config.s3 !== null,
  })
}

function createTargetsOf({ db, sealer, clock, log, egress, config }: Platform, { activity }: People) {
  const atTargets = streamsAtTargets(db)
  return createTargets({
    ...{ db, sealer, clock, log, egress },
    activity: activity.service,
    ffmpegPath: config.ffmpegPath,
    isStoredOnAir: isStoredTargetOnAir(db),
    isOnAir: async (workspaceId, targetMark) =>
      (await atTargets([targetMark], clock.now())).some(({ userId, isWanted }) => isWanted && userId === workspaceId),
  })
}

function createStreamsOf(
  platform: Platform,
  { plans }: People,
  {
    platforms,
    library,
    targets,
    sessions,
    branding,
  }: {
    platforms: Platforms
    library: Library
    targets: Targets
    sessions: RecordedSessions
    branding: Pick<ReturnType<typeof createBranding>, 'looks'>
  },
) {
  const { db, storage, changes, queue, sealer, clock, events, log, egress, timings } = platform
  const { sourceProxy, processes, machine, config } = platform
  const { dataDir, ffmpegPath, ffprobePath, sessionLimits, maxRelayEncodes } = config
  return createStreams({
    ...{ db, storage, changes, queue, sealer, clock, events, log, egress, timings, sourceProxy, processes },
    ...{ looks: branding.looks, dataDir, ffmpegPath, ffprobePath, sessionLimits, maxRelayEncodes },
    library: library.service,
    platforms,
    plans: plans.service,
    resolveTargets: targets.service.resolve,
    openRecorder: (streamId) => sessions.open(streamId, timings.recordingFiles.pieceSeconds),
    runDir: platform.runDir,
    worker: platform.workerId,
    maxStreams: config.maxStreamsPerWorker,
    soleWorker: platform.isAlone,
    isMany: platform.isMany,
    fleet: platform.fleet,
    machineShortage: machine.shortage,
    isMemoryLow: machine.isMemoryLow,
    machineLoad: machine.load,
    keepOnExit: platform.keepOnExit,
  })
}

function createRecordingsOf(platform: Platform, { plans }: People, library: Library) {
  const { db, changes, storage, clock, trust, log, timings, config } = platform
  return createRecordings({
    ...{ db, changes, storage, clock, trust, log, timings, sent: sentPieces, steps: programSteps },
    ...{ ffmpegPath: config.ffmpegPath, ffprobePath: config.ffprobePath },
    library: library.service,
    plans: plans.service,
    hasDiskRoom: hasDiskRoomOf(platform),
  })
}

/** What online sources sent, as files. */
function createRecordedFilesOf(
  { db, storage, clock, log, timings, reserve, config }: Platform,
  { plans }: People,
  { streams, sessions, recordings }: { streams: Streams; sessions: RecordedSessions; recordings: Recordings },
) {
  return createRecordedFiles({
    ...{ db, storage, clock, log, timings, sessions, endRecording: recordings.endEarly },
    dataDir: config.dataDir,
    ffprobePath: config.ffprobePath,
    diskReserveBytes: () => config.diskReserveBytes + (reserve?.missingBytes() ?? 0),
    async broadcastOf(streamId) {
      const row = await streams.byId(streamId)
      return row && { broadcastId: row.broadcast_id, userId: row.user_id, title: row.title, source: row.source }
    },
    async storageUseOf(userId) {
      const { storageBytes } = await plans.service.libraryLimitsOf(userId)
      return { used: await summarizeVideos(db, async () => 0).usedBytes(userId), limit: storageBytes }
    },
  })
}

function createSchedulesOf(
  { db, sealer, clock, log, timings, trust, isAlone }: Platform,
  people: People,
  { streams, targets }: { streams: Streams; targets: Targets },
) {
  return createSchedules({
    ...{ db, sealer, clock, log, timings },
    broadcasts: streams.scheduled,
    targetNames: targets.service.names,
    plans: people.plans.service,
    activity: people.activity.service,
    isAlone,
    trust,
  })
}
