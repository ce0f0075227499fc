import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordingEndCode } from '@siarin/contracts/recordings'
import type { Clock } from '../../../platform/clock.ts'
import { createFairTurns } from '../../../platform/fair-turns.ts'
import type { Log } from '../../../platform/log.ts'
import { repeat } from '../../../platform/repeat.ts'
import { syncToDisk } from '../../../platform/storage/durable.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { Timings } from '../../../platform/timings.ts'
import { createDiskPlaces, type DiskPlace } from './disk-places.ts'
import { isWholePiece, salvagePiece } from './piece-files.ts'
import { finishedPieces, isBehindLoss, type Piece, piecesInTime } from './piece-list.ts'
import type { RecordedBroadcast, RecordingFilesRepo } from './recording-files.repo.ts'
import type { createRecordedSessions, RecordedSession, SessionContents } from './sessions.ts'
import { createStillness } from './stillness.ts'

export interface FileCollectorDeps {
  readonly repo: Pick<RecordingFilesRepo, 'recordingAt' | 'add'>
  readonly sessions: Omit<ReturnType<typeof createRecordedSessions>, 'open'>
  readonly storage: Pick<Storage, 'put' | 'head'>
  /** Null: there is no such stream any more. */
  readonly broadcastOf: (streamId: string) => Promise<RecordedBroadcast | null>
  /** What its owner's plan still has room for. */
  readonly roomLeftOf: (userId: string) => Promise<number>
  /** What the disk has beside its reserve; below zero where the reserve itself is being used. */
  readonly spareBytes: () => Promise<number>
  readonly endRecording: (recordingId: string, at: number, why: RecordingEndCode) => Promise<void>
  readonly timings: Pick<Timings, 'recordingFiles'>
  readonly ffprobePath: string
  readonly clock: Clock
  readonly log: Log
}

/** A disk that hangs must not keep the program from ending. */
const STOP_WITHIN_MS = 5_000
const STOP_POLL_MS = 50

/** Each that waits for a disk that hangs holds one of the few threads that this program reads and writes with. */
const PLACES = { atOnce: 4, each: 2 }
const WAITED_FOR_MS = 1_000
/** Nobody sends so much in ten seconds. */
const LARGE_PIECE_BYTES = 64 * 1024 ** 2
/** The owners in turn: somebody with a hundred recorders has a hundred pieces every ten seconds. */
const STORED = { mostWaiting: Infinity, mostWaitingEach: Infinity }

/**
 * Takes what the ffmpegs of this machine have written into the storage, piece by piece, and ends recordings for which there is no room. It
 * needs nothing but the folders and the rows: it goes on after any crash.
 */
export function createFileCollector(deps: FileCollectorDeps) {
  const { sessions, log, timings } = deps
  const stillness = createStillness(timings.recordingFiles.stillMs)
  const { takeSession, watchSession, giveUp } = createTakeSession(deps, createTroubleOf(deps, stillness))
  const places = createDiskPlaces(PLACES)
  const queue = createOwnersQueue(deps)
  /** As the last look found it. */
  let spareBytes = 0
  let end: (() => Promise<void>) | null = null

  /** A disk that hangs holds up only what lies there, and ends its recordings once it has for too long. */
  async function take(session: RecordedSession, owner: string): Promise<void> {
    const { folder, streamId } = session
    const waitedMs = places.waitedMs({ folder, owner })
    if (waitedMs !== null) {
      if (waitedMs >= timings.recordingFiles.stillMs) await giveUp(session)
      return
    }
    const isStoring = places.isAway(folder)
    const { promise: hasLeft, resolve: onLeft } = Promise.withResolvers<void>()
    const place = places.take({ folder, owner }, onLeft)
    const work = isStoring ? watchSession(session, spareBytes) : takeSession(session, spareBytes, place)
    void work
      .catch((error) => log.warn({ err: error, streamId }, 'what was recorded could not be taken'))
      .finally(() => place.giveBack())
    await Promise.race([hasLeft, sleep(WAITED_FOR_MS, undefined, { ref: false })])
  }

  /** What is found waits for the turn of its owner; what is finished meanwhile is found by the next look. */
  async function takeAll(): Promise<void> {
    const found = await sessions.list()
    stillness.keepOnly(found.map(({ folder }) => folder))
    if (found.length > 0) spareBytes = await deps.spareBytes()
    queue.add(found, take)
  }

  return {
    start(): void {
      const everyMs = timings.recordingFiles.takeMs
      end = repeat({ firstAfterMs: 0, everyMs, log, complaint: 'recordings could not be looked at', work: takeAll })
    },
    async stop(): Promise<void> {
      await Promise.all([queue.close(), end?.()])
      for (let waitedMs = 0; places.isBusy() && waitedMs < STOP_WITHIN_MS; waitedMs += STOP_POLL_MS)
        await sleep(STOP_POLL_MS)
    },
  }
}

type LookAt = (session: RecordedSession, owner: string) => Promise<void>

/**
 * Sessions that are to be looked at, the owners in turn: a source that flaps leaves hundreds of torn ones, each of which ffprobe has to measure,
 * and they hold up only their owner's.
 */
function createOwnersQueue({ broadcastOf, log }: Pick<FileCollectorDeps, 'broadcastOf' | 'log'>) {
  const inTurn = createFairTurns({ atOnce: 1, mostWaiting: Infinity, mostWaitingEach: Infinity })
  /** By folder. */
  const waiting = new Set<string>()
  /** By stream, which never changes hands: a row is asked once. */
  const owners = new Map<string, Promise<string>>()
  let isClosed = false

  function ownerOf(streamId: string): Promise<string> {
    const known = owners.get(streamId)
    if (known) return known
    const asked = broadcastOf(streamId).then(
      (broadcast) => broadcast?.userId ?? streamId,
      () => {
        owners.delete(streamId)
        return streamId
      },
    )
    owners.set(streamId, asked)
    return asked
  }

  async function workOff(session: RecordedSession, work: LookAt): Promise<void> {
    const { folder, streamId } = session
    waiting.add(folder)
    try {
      const owner = await ownerOf(streamId)
      await inTurn(owner, async () => {
        if (!isClosed) await work(session, owner)
      })
    } catch (error) {
      log.warn({ err: error, streamId }, 'what was recorded could not be looked at')
    } finally {
      waiting.delete(folder)
    }
  }

  return {
    /** All that there are now. */
    add(found: readonly RecordedSession[], work: LookAt): void {
      const streams = new Set(found.map(({ streamId }) => streamId))
      for (const streamId of owners.keys()) if (!streams.has(streamId)) owners.delete(streamId)
      for (const session of found) if (!waiting.has(session.folder)) void workOff(session, work)
    },
    /** Begins nothing more, and waits for the turn that is under way. */
    async close(): Promise<void> {
      isClosed = true
      await inTurn('', async () => {})
    },
  }
}

function createTroubleOf(
  deps: Pick<FileCollectorDeps, 'broadcastOf' | 'roomLeftOf'>,
  stillness: ReturnType<typeof createStillness>,
) {
  /** Why it cannot go on; null: it can. */
  return async function troubleOf(
    session: RecordedSession,
    { files, listed, isFlooded }: SessionContents,
    spareBytes: number,
  ): Promise<RecordingEndCode | null> {
    if (spareBytes <= 0) return 'disk-full'
    if (isFlooded) return 'recorder-failed'
    const newest = files.toSorted((a, b) => a.name.localeCompare(b.name)).at(-1)
    const mark = `${newest?.name} ${newest?.bytes} ${listed.size}`
    if (stillness.isStill(session.folder, mark)) return 'recorder-failed'
    // A piece without a key frame may never be finished, and many may wait for the store: room is asked for before it is taken.
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const broadcast = bytes > LARGE_PIECE_BYTES ? await deps.broadcastOf(session.streamId) : null
    const isTooMuch = broadcast && (await deps.roomLeftOf(broadcast.userId)) < bytes
    return isTooMuch ? 'room-full' : null
  }
}

function createTakeSession(deps: FileCollectorDeps, troubleOf: ReturnType<typeof createTroubleOf>) {
  const { repo, sessions, clock, log } = deps
  const { pieceSeconds } = deps.timings.recordingFiles
  const inTurn = createFairTurns({ ...STORED, atOnce: 3, each: 3 })
  /** A piece of some GB holds up only its like. */
  const largeInTurn = createFairTurns({ ...STORED, atOnce: 1 })

  async function endBy(why: RecordingEndCode, broadcast: RecordedBroadcast, recordingId: string): Promise<void> {
    log.warn({ broadcastId: broadcast.broadcastId, recordingId, why }, 'a recording ends before its broadcast')
    await deps.endRecording(recordingId, clock.now(), why)
  }

  /** False: it was recorded for nobody, and is gone. */
  async function take(
    session: RecordedSession,
    broadcast: RecordedBroadcast,
    piece: Piece,
    place: DiskPlace,
  ): Promise<boolean> {
    const path = join(session.folder, piece.name)
    const at = Math.round(session.startedAt + piece.start * 1000)
    const recording = await repo.recordingAt(broadcast, at)
    const facts = recording.isClosed ? null : await factsOf(path, piece, deps.ffprobePath)
    if (!facts) {
      await rm(path)
      return false
    }
    if ((await deps.roomLeftOf(broadcast.userId)) < facts.bytes) {
      await endBy('room-full', broadcast, recording.id)
      return false
    }
    // The row counts from here on, so its file must outlive a power cut before it.
    await syncToDisk(path)
    const { userId } = broadcast
    const name = `${session.streamId}/${session.startedAt}`
    const key = await repo.add({ recordingId: recording.id, userId, session: name, at, ...facts })
    // Stored before a crash, where the storage is another disk and this file had not been removed yet.
    const store = async (): Promise<void> => {
      if (await deps.storage.head(key)) await rm(path)
      else await deps.storage.put(key, path)
    }
    await place.leaveFor(() => (facts.bytes > LARGE_PIECE_BYTES ? largeInTurn : inTurn)(userId, store))
    return true
  }

  /** While its pieces are on their way to the store, however long that takes: its disk and its room are watched as before. */
  async function watchSession(session: RecordedSession, spareBytes: number): Promise<void> {
    const contents = await sessions.read(session, pieceSeconds)
    const trouble = contents.isRunning && !session.isOff ? await troubleOf(session, contents, spareBytes) : null
    if (trouble) await giveUp(session, trouble)
    // A thousand more may come each second: it cannot wait for the store, though a piece that is on its way may be lost.
    if (trouble && contents.isFlooded) await sessions.switchOff(session)
  }

  async function takeSession(session: RecordedSession, spareBytes: number, place: DiskPlace): Promise<void> {
    const contents = await sessions.read(session, pieceSeconds)
    const { isRunning, files, listed } = contents
    const finished = session.isOff ? [] : finishedPieces(files, listed, { isRunning })
    const pieces = piecesInTime(finished, contents)
    const isAstray = pieces.length < finished.length
    if (isAstray) log.warn({ streamId: session.streamId }, 'pieces whose time cannot be true are not kept')
    const judged = isRunning && !session.isOff ? await troubleOf(session, contents, spareBytes) : null
    const trouble = judged ?? (isRunning && isAstray ? 'recorder-failed' : null)
    // So it is most of the time: no row needs to be asked.
    if (isRunning && !trouble && pieces.length === 0) return session.isOff ? sessions.empty(session) : undefined
    const broadcast = session.isOff ? null : await deps.broadcastOf(session.streamId)
    if (!broadcast) return sessions.remove(session)
    for (const piece of pieces) {
      if (isRunning && isBehindLoss(piece, listed)) {
        await endBy('recorder-failed', broadcast, (await repo.recordingAt(broadcast, clock.now())).id)
      }
      await take(session, broadcast, piece, place)
      place.noteMoving()
    }
    if (!isRunning) return sessions.remove(session)
    const recording = await repo.recordingAt(broadcast, clock.now())
    if (trouble && !recording.isClosed) await endBy(trouble, broadcast, recording.id)
    if (trouble || recording.isClosed) await sessions.switchOff(session)
  }

  /** Without a word to the disk. */
  async function giveUp(
    { streamId, isOff }: RecordedSession,
    why: RecordingEndCode = 'recorder-failed',
  ): Promise<void> {
    const broadcast = isOff ? null : await deps.broadcastOf(streamId)
    const recording = broadcast && (await repo.recordingAt(broadcast, clock.now()))
    if (recording && !recording.isClosed) await endBy(why, broadcast, recording.id)
  }

  return { takeSession, watchSession, giveUp }
}

/** Null: nothing of it can be played. */
async function factsOf(
  path: string,
  { bytes, start, end }: Piece,
  ffprobePath: string,
): Promise<{ bytes: number; ms: number } | null> {
  if (end !== null && (await isWholePiece(path, bytes))) return { bytes, ms: Math.round((end - start) * 1000) }
  return salvagePiece(path, bytes, ffprobePath)
}
