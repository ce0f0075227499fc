import { readFile } from 'node:fs/promises'
import type { Log } from '../../../platform/log.ts'
import { processBirth, signalIfSame } from '../../../platform/process/detached.ts'
import { broadcastNeedBytes, encodingRelayNeedBytes } from '../../../platform/process/limited-tool.ts'
import { type RunningBroadcast, runningBroadcasts } from '../sender/broadcast-process.ts'
import type { RunFolders } from '../sender/run-folders.ts'
import { readNotes, type SlotNote } from '../sequence/slot-notes.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'

interface MemoryGuardDeps {
  repo: Pick<StreamsRepo, 'byId'>
  folders: Pick<RunFolders, 'all' | 'of'>
  isMemoryLow: () => boolean
  log: Log
}

/** Where nobody knows what it plays: what may take more than this plays one of the longest files, and most of what it may take is its own. */
const USUAL_LIMIT = 1024 ** 3
const OWN_SHARE = 3 / 4

interface Burden {
  readonly pid: number
  readonly birth: string
  readonly streamId: string
  readonly beyondBytes: number
}

/**
 * The server of a target can fill each ffmpeg that sends to it, up to that one's own limit and for as long as it likes. Somebody with a few such
 * targets would have all of a machine's memory, and it would take no broadcast of others any more. So where memory runs short, the owner
 * whose ffmpegs hold most beyond what they need loses the largest of them. It is started again with little, as after any end.
 */
export function createMemoryGuard({ repo, folders, isMemoryLow, log }: MemoryGuardDeps) {
  const withOwners = (burdens: readonly Burden[]) =>
    Promise.all(
      burdens.map(async (burden) => ({ ...burden, owner: (await repo.byId(burden.streamId))?.user_id ?? '' })),
    )

  function notesOf(streamId: string): SlotNote[] {
    const { directory, spare } = folders.of(streamId)
    return readNotes(directory, spare) ?? []
  }

  async function endLargest(): Promise<void> {
    const running = (await Promise.all(folders.all.map(runningBroadcasts))).flat()
    const burdens = (await Promise.all(running.map((each) => burdenOf(each, notesOf(each.streamId))))).flatMap(
      (burden) => burden ?? [],
    )
    const byOwner = Map.groupBy(await withOwners(burdens), ({ owner }) => owner)
    const [most = []] = [...byOwner.values()].sort((one, other) => sumOf(other) - sumOf(one))
    const [largest] = most.toSorted((one, other) => other.beyondBytes - one.beyondBytes)
    if (!largest) return
    const { pid, birth, streamId, beyondBytes } = largest
    log.warn(
      { streamId, ffmpegPid: pid, beyondBytes },
      'memory is short: an ffmpeg that holds far more than it needs ends',
    )
    signalIfSame(pid, birth, 'SIGKILL')
  }

  let isLooking = false
  return async function look(): Promise<void> {
    // On a slow machine one look may last until the next, and would end a second one for the same shortage.
    if (isLooking || !isMemoryLow()) return
    isLooking = true
    await endLargest().finally(() => {
      isLooking = false
    })
  }
}

const sumOf = (burdens: readonly Burden[]): number => burdens.reduce((sum, { beyondBytes }) => sum + beyondBytes, 0)

/** Null: it holds no more than it needs, or has ended. */
async function burdenOf(
  { pid, streamId, isEncoding }: RunningBroadcast,
  notes: readonly SlotNote[],
): Promise<Burden | null> {
  const birth = processBirth(pid)
  const [held, limit] = await Promise.all([
    figureIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m),
    figureIn(`/proc/${pid}/limits`, /^Max data size\s+(\d+)/m),
  ])
  if (!birth || held === null || limit === null) return null
  const needed = isEncoding ? encodingRelayNeedBytes() : (neededFor(notes) ?? neededWithin(limit))
  const beyondBytes = held * 1024 - needed
  return beyondBytes > 0 ? { pid, birth, streamId, beyondBytes } : null
}

/** By the most packets of what it plays or comes to next. Null: nobody knows, as of what an earlier version started, and of a relay. */
function neededFor(notes: readonly SlotNote[]): number | null {
  const packets = notes.map(({ opens, entry }) => (opens === null ? 0 : (entry?.clip.packets ?? null)))
  if (packets.length === 0 || packets.includes(null)) return null
  return broadcastNeedBytes(Math.max(...packets.map(Number)))
}

const neededWithin = (limit: number): number => (limit > USUAL_LIMIT ? limit * OWN_SHARE : broadcastNeedBytes(0))

async function figureIn(file: string, figure: RegExp): Promise<number | null> {
  const found = figure.exec(await readFile(file, 'utf8').catch(() => ''))?.[1]
  return found === undefined ? null : Number(found)
}
