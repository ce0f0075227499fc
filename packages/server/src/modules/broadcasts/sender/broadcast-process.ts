import { mkdirSync, statSync, unlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { broadcastArgs } from '@siarin/media/argv/broadcast'
import { fileUrl } from '@siarin/media/argv/input'
import type { RecordPlan } from '@siarin/media/argv/record'
import { RELAY_ENCODER, type RelayLogo, relayArgs } from '@siarin/media/argv/relay'
import { type ExitReason, exitReason, relayExitReason } from '@siarin/media/parse/exit-reason'
import { redact, redactWebAddresses } from '@siarin/media/redact'
import type { RelayPlan } from '@siarin/media/relay-plan'
import type { Secret } from '@siarin/media/secret'
import type { DetachedProcess } from '../../../platform/process/detached.ts'
import { processesWithArgument } from '../../../platform/process/find-processes.ts'
import {
  BROADCAST_MEMORY_BYTES,
  broadcastMemory,
  COPIED_RELAY_MEMORY_BYTES,
  encoderMemoryBytes,
  limitedCommand,
  RECORDER_MEMORY_BYTES,
} from '../../../platform/process/limited-tool.ts'
import { createOpenFile } from '../../../platform/process/open-file.ts'
import type { ProcessStarter } from '../../../platform/process/spawner.ts'
import { createSlots, type SlotEntry, type Slots } from '../sequence/slots.ts'
import { followWords, lifeSignOf } from './mute-words.ts'
import { type LastWords, lastOutTimeMs, openProgress, tailOf, watchErrors } from './progress-file.ts'
import type { RunFolder } from './run-folders.ts'

interface BroadcastExit {
  readonly reason: ExitReason
  /** The last lines of ffmpeg, without keys. */
  readonly lines: readonly string[]
  /** How far it came, by its own clock; null: it never said. */
  readonly outTimeMs: number | null
}

/** One ffmpeg that sends one broadcast. Its files lie in a directory of its own, so that a later start of the program finds them. */
export interface BroadcastProcess {
  readonly pid: number
  readonly birth: string
  readonly exited: Promise<BroadcastExit>
  /** What it last said of itself; null: nothing yet. */
  lastWords(): LastWords | null
  /** Says what follows when the clip that plays has come to its end; null: nothing does, and ffmpeg ends there. */
  playNext(entry: SlotEntry | null): Promise<void>
  /** What it was told to play and reads now; null: nobody knows. */
  reading(): SlotEntry | null
  /** What it finds in its slots, in the order in which it was told so. */
  told(): SlotEntry[]
  /** Asks it to end, and makes it end when it does not listen. */
  stop(): Promise<void>
  /** For one that hangs: it would not listen. */
  kill(): void
}

/** What ffmpeg reads: a file of ours, or an address of somebody else's. */
export type SourceKind = 'video' | 'online'

const GRACE_MS = 5_000
const LAST_LINES = 20
const MISSING_SLOT = /Impossible to open '[^']*[01]\.mp4'/

const progressFileOf = (directory: string): string => join(directory, 'progress')
const errorFileOf = (directory: string): string => join(directory, 'errors')

/** Where an ffmpeg writes what it sends. */
export interface Recorder extends RecordPlan {
  /** It is this one that writes there. */
  noteProcess(process: Pick<DetachedProcess, 'pid' | 'birth'>): void
}

/** Where a broadcast runs, and where to. */
export interface Run {
  readonly streamId: string
  /** It runs for the claim with this epoch. */
  readonly epoch: number
  readonly processes: ProcessStarter
  readonly folder: RunFolder
  /** Where it runs, so that a look at the processes tells whose it is. */
  readonly dataDir: string
  readonly ffmpegPath: string
  readonly target: Secret
  /** The judged address behind its name; null: ffmpeg looks the name up itself. */
  readonly address: string | null
  /** Null: what it sends is not written down. */
  readonly record?: Recorder | null
}

export interface BroadcastRun extends Run, SlotEntry {
  readonly looping: boolean
  /** Where a loop begins: a key frame of its video, or 0. */
  readonly fromSeconds: number
  readonly clipSeconds: number
  /** How long a clip lasts on average, where others follow; null: the same one again. */
  readonly meanSeconds: number | null
  /** What follows; null: nothing does. Undefined: the same again. */
  readonly next: SlotEntry | null | undefined
  readonly bitrateKbps: number
}

export interface RelayRun extends Run {
  readonly source: Secret
  readonly proxy: string
  readonly plan: RelayPlan
  readonly logo?: RelayLogo
}

export async function startBroadcast(run: BroadcastRun): Promise<BroadcastProcess> {
  const progressFile = makeRoom(run)
  const slots = createSlots(run.folder.directory, 'nothing', run.folder.spare)
  if (!run.looping) slots.noteOnce(run)
  const source = run.looping ? await slots.write(run, run) : ({ kind: 'once', path: run.clip.path } as const)
  return launch(run, broadcastArgs({ ...run, source, progressFile }), 'video', videoMemoryBytes(run), slots)
}

/** Sends an online source on. */
export async function startRelay(run: RelayRun): Promise<BroadcastProcess> {
  return launch(run, relayArgs({ ...run, progressFile: makeRoom(run) }), 'online', relayMemoryBytes(run))
}

/** In memory, as progress-file says: where a thousand start in the same minute, trips through the thread pool add up. */
function makeRoom({ folder: { directory } }: Run): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const progressFile = progressFileOf(directory)
  try {
    unlinkSync(progressFile)
  } catch (error) {
    // Most often there is none.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return progressFile
}

/** What comes later in the session has to fit in too: see `areAlike` of its clips. */
const videoMemoryBytes = ({ clip, next, record }: BroadcastRun): number =>
  BROADCAST_MEMORY_BYTES[
    broadcastMemory(Math.max(...[clip, next?.clip ?? clip].map(({ packets = Infinity }) => packets)))
  ] + (record ? RECORDER_MEMORY_BYTES : 0)

/** Nobody knows what an online source will send: a picture that is re-encoded may change its size. */
const relayMemoryBytes = ({ plan: { picture }, record }: RelayRun): number =>
  (picture.kind === 'encode' ? encoderMemoryBytes() : COPIED_RELAY_MEMORY_BYTES) + (record ? RECORDER_MEMORY_BYTES : 0)

async function launch(
  run: Run,
  args: string[],
  source: SourceKind,
  memoryBytes: number,
  slots = createSlots(run.folder.directory),
): Promise<BroadcastProcess> {
  const { streamId, epoch } = run
  const options = { errorFile: errorFileOf(run.folder.directory), cwd: run.dataDir, streamId, epoch }
  const [command, words] = limitedCommand(run.ffmpegPath, args, { memoryBytes })
  const child = await run.processes.start(command, words, options)
  run.record?.noteProcess(child)
  return wrap(child, run, source, slots)
}

export function adoptBroadcast(
  pid: number,
  birth: string,
  run: Pick<Run, 'streamId' | 'epoch' | 'processes' | 'folder' | 'target'>,
  source: SourceKind,
): BroadcastProcess | null {
  const child = run.processes.adopt({ pid, birth }, run)
  const { directory, spare } = run.folder
  return child ? wrap(child, run, source, createSlots(directory, 'by-earlier-run', spare)) : null
}

function wrap(
  child: DetachedProcess,
  { folder, target }: Pick<Run, 'folder' | 'target'>,
  source: SourceKind,
  slots: Slots,
): BroadcastProcess {
  const progress = openProgress(progressFileOf(folder.directory))
  const errorFile = errorFileOf(folder.directory)
  const lastWords = followWords(progress.read, lifeSignOf(child.pid, source))
  const floods = watchErrors(errorFile)
  let isFlooding = false
  slots.follow(createOpenFile(child.pid))
  const exited = child.exited.then(async ({ code, signal }): Promise<BroadcastExit> => {
    // It said how far it came as it ended. One that was killed could not, and went on for a moment after it last spoke.
    const last = progress.read()
    const outTimeMs = last && lastOutTimeMs(last)
    progress.close()
    const text = await tailOf(errorFile).catch(() => '')
    const lines = redactWebAddresses(redact(text, [target]))
      .split('\n')
      .filter(Boolean)
      .slice(-LAST_LINES)
    // We cannot get the exit code of an adopted process: one that ended its progress without a complaint came to its end.
    const adopted = code === null && signal === null
    const wasToEnd = slots.hasEnd()
    // What ffmpeg wrote may hold the key: it goes as soon as it has been read. A disk that fails must not end the keeper.
    await rm(folder.directory, { recursive: true, force: true }).catch(() => {})
    if (folder.spare) await removeSoon(folder.spare)
    if (adopted && last?.progress.ended && lines.length === 0) return { reason: 'source-ended', lines, outTimeMs }
    // It complains of the slot that leads nowhere, and then ends as if all were well.
    if (wasToEnd && signal === null && lines.some((line) => MISSING_SLOT.test(line)))
      return { reason: 'source-ended', lines, outTimeMs }
    // We ended it, and not for the target's sake: what follows is as with any source that breaks off.
    if (isFlooding) return { reason: 'source-away', lines, outTimeMs }
    const reasonOf = source === 'online' ? relayExitReason : exitReason
    return { reason: reasonOf({ code, signal, lastLines: lines }), lines, outTimeMs }
  })
  return {
    pid: child.pid,
    birth: child.birth,
    exited,
    lastWords() {
      // A video may complain: it is cut as well, and stays on air.
      if (floods() && source === 'online' && !isFlooding) {
        isFlooding = true
        child.signal('SIGKILL')
      }
      return lastWords()
    },
    playNext: (entry) => slots.pointNext(entry),
    reading: slots.reading,
    told: slots.told,
    async stop() {
      child.signal('SIGTERM')
      const ended = await Promise.race([exited.then(() => true), sleep(GRACE_MS, false, { ref: false })])
      if (!ended) child.signal('SIGKILL')
      await exited
    },
    kill: () => child.signal('SIGKILL'),
  }
}

/** It is on a disk, which may hang: the next session does not wait for that. */
const removeSoon = (folder: string): Promise<void> =>
  Promise.race([rm(folder, { recursive: true, force: true }).catch(() => {}), sleep(1_000, undefined, { ref: false })])

/** What one said last that an earlier run of the program left and that has ended since. */
export interface LeftWords {
  readonly outTimeMs: number | null
  /** Without a complaint: it came to its end, or was asked to end. */
  readonly hasEnded: boolean
  readonly saidAt: number
}

/** Null: nobody knows. */
export function lastWordsIn(directory: string): LeftWords | null {
  const progress = openProgress(progressFileOf(directory))
  const last = progress.read()
  progress.close()
  if (!last) return null
  const { outTimeMs, ended } = last.progress
  return { outTimeMs, hasEnded: ended && isEmpty(errorFileOf(directory)), saidAt: last.saidAt }
}

function isEmpty(file: string): boolean {
  try {
    return statSync(file).size === 0
  } catch {
    return false
  }
}

export interface RunningBroadcast {
  readonly pid: number
  readonly streamId: string
  /** It re-encodes its picture. */
  readonly isEncoding: boolean
}

/** The streams that a still running ffmpeg of this run directory belongs to, found by the progress file in its arguments. */
export async function runningBroadcasts(runDir: string): Promise<RunningBroadcast[]> {
  const prefix = fileUrl(`${runDir}/`)
  const found = await processesWithArgument(prefix)
  return found.flatMap(({ pid, argument, args }) => {
    const [, streamId] = /^([\w-]+)\/progress$/.exec(argument.slice(prefix.length)) ?? []
    return streamId ? [{ pid, streamId, isEncoding: args.includes(RELAY_ENCODER) }] : []
  })
}
