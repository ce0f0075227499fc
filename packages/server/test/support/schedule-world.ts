import { randomUUID } from 'node:crypto'
import { ScheduleRule } from '@siarin/contracts/schedules/schedule-rule'
import { StartStreamBody } from '@siarin/contracts/streams'
import { Secret } from '@siarin/media/secret'
import { pino } from 'pino'
import { createCheckAhead } from '../../src/modules/schedules/check-ahead.ts'
import { createFireOccurrence, type ScheduledBroadcasts } from '../../src/modules/schedules/fire-occurrence.ts'
import { createPausedPlans } from '../../src/modules/schedules/left-behind.ts'
import { createClockMends } from '../../src/modules/schedules/mend-clock.ts'
import {
  createOccurrencesRepo,
  type OccurrenceRow,
  type OccurrencesRepo,
} from '../../src/modules/schedules/occurrences.repo.ts'
import { createScheduleRunner } from '../../src/modules/schedules/schedule-runner.ts'
import { createSchedulesRepo } from '../../src/modules/schedules/schedules.repo.ts'
import { createStartPermit } from '../../src/modules/schedules/start-permit.ts'
import { sealRequest } from '../../src/modules/schedules/start-request.ts'
import { createWatchStarted } from '../../src/modules/schedules/watch-started.ts'
import { createClockTrust } from '../../src/platform/clock-trust.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { createSealer } from '../../src/platform/secrets/seal.ts'
import { USUAL_TIMINGS } from '../../src/platform/timings.ts'

class Killed extends Error {}

const sealer = createSealer(new Secret('a secret of this test alone'))
const log = pino({ level: 'silent' })
const request = StartStreamBody.parse({ source: 'klip.mp4', platform: 'lain', rtmpStream: 'rtmp://a.example/live/key' })

interface Launched {
  readonly at: number
  /** Why no target takes it. */
  refused: string | null
  isOver: boolean
  end: 'stopped' | 'ending' | null
}

/**
 * The schedules of one database, the programs that carry them out, and broadcasts that are rows of a map: launching one id twice is an
 * error there, as in the database.
 */
export function scheduleWorld(db: Db, userId: string, startMs: number) {
  const launched = new Map<string, Launched>()
  let now = startMs
  let steadyMs = 0
  let looks = 0
  const bootId = randomUUID()
  const clock = { now: () => now }
  const readSteady = () => {
    looks++
    return steadyMs
  }
  /** What the next launches are refused with. */
  let refusal: Error | null = null
  /** What nothing can be specified for, long before it is due. */
  let obstacle: Error | null = null
  const lines: string[] = []
  const repo = createSchedulesRepo(db)

  const broadcasts = {
    async specify(_caller: unknown, _body: unknown, id: string) {
      if (obstacle) throw obstacle
      return { id, title: null, source: { source: 'klip.mp4' }, targets: [] }
    },
    async launch({ id }: { id: string }) {
      if (refusal) throw refusal
      if (launched.has(id)) throw new Error('UNIQUE constraint failed: broadcasts.id')
      launched.set(id, { at: now, refused: null, isOver: false, end: null })
      return id
    },
    async stateOf(id: string) {
      const one = launched.get(id)
      return one ? (one.isOver ? 'over' : 'on-air') : null
    },
    onAirOf: async (ids: readonly string[]) => new Set(ids.filter((id) => launched.get(id)?.isOver === false)),
    countOnAir: async () => 0,
    isTargetInUse: async () => false,
    async outlookOf(id: string) {
      const { refused = null, isOver = false } = launched.get(id) ?? {}
      return { at: refused === null ? 'settled' : isOver ? 'failed' : 'tried', reason: refused }
    },
    async end(id: string, atPass: boolean) {
      const one = launched.get(id)
      if (one && !one.isOver) Object.assign(one, { end: atPass ? 'ending' : 'stopped', isOver: true })
    },
  } as unknown as ScheduledBroadcasts

  /** As `revokeScheduledEnd` does it: an end without a word of its schedule's is its owner's. */
  async function revokeEnd(_inside: Db, id: string) {
    const one = launched.get(id)
    if (!one || one.end === null) return 'left' as const
    if (one.end === 'stopped') return 'over' as const
    Object.assign(one, { end: null, isOver: false })
    return 'goes-on' as const
  }

  const plans = {
    limitsOf: async () => ({ schedule: 'advanced', concurrentStreams: 10 }) as never,
    scheduleRefusal: async () => new Error('refused') as never,
    assertAccess: async () => {},
    mayWork: async () => true,
  }
  const permit = createStartPermit({ plans })
  const activity = { record: async ({ kind }: { kind: string }) => void lines.push(kind) }

  /** A program; `dies` is asked before and after each of its effects, and from its first yes on nothing that it does counts. */
  function program(dies: () => boolean = () => false) {
    let isDead = false
    const mortal = <T extends object>(parts: T): T =>
      new Proxy(parts, {
        get(target, name) {
          const method = Reflect.get(target, name)
          if (typeof method !== 'function') return method
          return async (...words: unknown[]) => {
            isDead ||= dies()
            if (isDead) throw new Killed()
            const answer = await method.apply(target, words)
            isDead ||= dies()
            if (isDead) throw new Killed()
            return answer
          }
        },
      })
    const occurrences: OccurrencesRepo = mortal(createOccurrencesRepo(db))
    const fire = createFireOccurrence({
      ...{ repo: mortal(repo), occurrences, broadcasts: mortal(broadcasts), permit, activity, sealer, clock, log },
      timings: USUAL_TIMINGS,
    })
    const watch = createWatchStarted({
      occurrences,
      broadcasts: mortal(broadcasts),
      clock,
      log,
      timings: USUAL_TIMINGS,
    })
    const check = createCheckAhead({ repo: mortal(repo), occurrences, broadcasts, permit, plans, sealer, clock })
    return {
      occurrences,
      fire: (row: OccurrenceRow) => fire(row, now),
      /** Looks at what is due within the hour. */
      async checkAhead(): Promise<void> {
        for (const row of await occurrences.claimChecks(now, 100)) await check(row)
      },
      isDead: () => isDead,
      /** Everything that is due now, one after the other, as the runner does it. */
      async round(): Promise<void> {
        try {
          for (const row of await occurrences.claim(now, 100)) {
            if (!(await fire(row, now))) await occurrences.putOff(row, now + 2_000)
          }
          for (const row of await occurrences.claimWatches(now, 100, USUAL_TIMINGS.schedules.watchMs)) await watch(row)
        } catch (error) {
          if (!(error instanceof Killed)) throw error
        }
      },
      /** `isBooted`: the machine was started again meanwhile. */
      runner({ settleMs = 0, isBooted = false } = {}) {
        const often = { everyMs: 20, planEveryMs: 50, firstRetryMs: 10, settleMs }
        const timings = { schedules: { ...USUAL_TIMINGS.schedules, ...often } }
        const bootedAt = isBooted ? readSteady() : 0
        const machine = {
          bootId: isBooted ? randomUUID() : bootId,
          ...{ steadyMs: () => readSteady() - bootedAt, isSynchronized: () => false },
        }
        const trust = createClockTrust({ db, clock, log, timings, machine })
        return createScheduleRunner({
          ...{
            repo,
            occurrences,
            mends: createClockMends(db, revokeEnd, log),
            paused: createPausedPlans(db),
            trust,
            fire,
            clock,
            log,
            timings,
          },
          ...{ isAlone: false, check: async () => true, watch },
        })
      },
    }
  }

  return {
    repo,
    launched,
    lines,
    program,
    now: () => now,
    /** How often a program has looked at its clocks. */
    looks: () => looks,
    /** Time passes. */
    set: (ms: number) => {
      steadyMs += Math.max(0, ms - now)
      now = ms
    },
    /** Somebody sets the clock. */
    setClock: (ms: number) => {
      now = ms
    },
    stopByOwner: (broadcastId: string) => {
      Object.assign(launched.get(broadcastId) ?? {}, { isOver: true })
    },
    refuse: (error: Error | null) => {
      refusal = error
    },
    block: (error: Error | null) => {
      obstacle = error
    },
    async add(rule: object, endAtPass = false): Promise<string> {
      const id = randomUUID()
      const row = {
        ...{ id, user_id: userId, title: 'Pagi', rule: JSON.stringify(ScheduleRule.parse(rule)) },
        ...{ end_at_pass: endAtPass ? 1 : 0, request_sealed: sealRequest(sealer, request) },
        ...{ planned_until: now, created_at: now },
      }
      await repo.insert(row, now)
      return id
    },
    occurrencesOf: (scheduleId: string) =>
      db
        .selectFrom('schedule_occurrences')
        .selectAll()
        .where('schedule_id', '=', scheduleId)
        .orderBy('due_at')
        .execute(),
  }
}
