import type { Platform } from '@siarin/contracts/platforms'
import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import type { TargetCheck } from '@siarin/contracts/targets'
import { targetTestArgs } from '@siarin/media/argv/target-test'
import { exitReason } from '@siarin/media/parse/exit-reason'
import { redact } from '@siarin/media/redact'
import type { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Egress, EgressRefused } from '../../platform/egress/egress.ts'
import type { Log } from '../../platform/log.ts'
import { readerMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { createTestPlaces } from '../../platform/test-places.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { Caller } from '../identity/caller.ts'
import { addressOfTarget, resolveTarget } from './resolve-target.ts'
import { type CheckResult, toCheck } from './target-view.ts'
import type { TargetRow, TargetsRepo } from './targets.repo.ts'
import { addressOfRow, detailOf } from './targets.service.ts'

interface TargetTestsDeps {
  repo: Pick<TargetsRepo, 'byId' | 'noteCheck'>
  sealer: Sealer
  clock: Clock
  log: Log
  activity: Pick<ActivityService, 'record'>
  egress: Pick<Egress, 'resolve'>
  ffmpegPath: string
  /** Whether a broadcast of this workspace goes to the target of this mark: a platform would take the test for its end. */
  isOnAir: (workspaceId: string, targetMark: string) => Promise<boolean>
}

const SECONDS = 4
/** For all of it: the name, the connection, the picture. */
const MOST_MS = 20_000
const PLACES = { atOnce: 2, slowMs: (SECONDS + 2) * 1_000, mostSlow: 20, waitMs: 10_000 }
/** ffmpeg complains in a few lines; more is none of its complaints. */
const MOST_BYTES = 64 * 1024
const LAST_LINES = 20

export type TargetTests = ReturnType<typeof createTargetTests>

/** Sends a few seconds of a test picture, and says what the platform answered. */
export function createTargetTests(deps: TargetTestsDeps) {
  const { repo, sealer, clock, log, activity } = deps
  const inPlace = createTestPlaces({
    ...PLACES,
    running: { code: 'target_test_running', text: TARGET_TEXTS.testRunning },
    fullText: TARGET_TEXTS.testsFull,
  })
  const halt = new AbortController()
  const underWay = new Set<Promise<unknown>>()

  async function send(url: Secret): Promise<CheckResult> {
    const begunAt = performance.now()
    const address = await addressOfTarget(url, deps.egress)
    const { code, timedOut, stderr } = await runBounded(
      deps.ffmpegPath,
      targetTestArgs({ target: url, address, seconds: SECONDS }),
      {
        maxBytes: MOST_BYTES,
        memoryBytes: readerMemoryBytes(),
        timeoutMs: Math.max(1, MOST_MS - (performance.now() - begunAt)),
        priority: 'normal',
        signal: halt.signal,
      },
    )
    const lastLines = redact(stderr, [url]).split('\n').filter(Boolean).slice(-LAST_LINES)
    if (timedOut) return 'timed-out'
    // Without a code it was ended by somebody else than its clock.
    const reason = exitReason({ code, signal: code === null ? 'SIGKILL' : null, lastLines })
    log.info({ reason, lastLines }, 'a target was tested')
    return reason === 'source-ended' ? 'taken' : reason
  }

  /** As a broadcast would be told; see `startFailure` of broadcasts. */
  const whyNotSent = (error: unknown): CheckResult => {
    if (!(error instanceof EgressRefused)) throw error
    return error.why === 'unknown-host' ? 'name-not-found' : 'target-forbidden'
  }

  async function run(caller: Caller, row: TargetRow, visitor: Visitor): Promise<TargetCheck> {
    const { url } = await resolveTarget(row.platform as Platform, addressOfRow(row, sealer), deps.egress)
    if (await deps.isOnAir(caller.workspaceId, sealer.mark(url))) {
      throw new DomainError('target_in_use', TARGET_TEXTS.onAir)
    }
    const result = await send(url).catch(whyNotSent)
    const at = clock.now()
    await repo.noteCheck(row, { at, result })
    await activity.record({
      userId: caller.userId,
      kind: 'target-tested',
      visitor,
      failed: result !== 'taken',
      detail: detailOf(row),
    })
    return toCheck(at, result)
  }

  return {
    async test(caller: Caller, id: string, visitor: Visitor): Promise<TargetCheck> {
      const row = await repo.byId(caller.workspaceId, id)
      if (!row) throw new DomainError('not_found', TARGET_TEXTS.notFound)
      const work = inPlace(caller.workspaceId, () => run(caller, row, visitor))
      underWay.add(work)
      return work.finally(() => underWay.delete(work))
    },
    /** Ends what is under way: nothing stays on air. */
    async stop(): Promise<void> {
      halt.abort()
      await Promise.allSettled(underWay)
    },
  }
}
