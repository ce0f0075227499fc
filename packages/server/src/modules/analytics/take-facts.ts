import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ToldFact } from '../../platform/outbox/fact-reader.ts'
import type { FirstTold, LivesRepo } from './lives.repo.ts'
import { LIVE_STATE, MINUTE_MS, SLOT_MS, SLOTS_PER_MINUTE, slotOf } from './sample-rules.ts'
import { createSamplesRepo } from './samples.repo.ts'
import type { NumberedLife } from './save-lives.ts'
import { follow, type Life, type LifeFact } from './spans.ts'

/** The program was away: when the stream went off air nobody saw, but the figures end there. */
const PROGRAM_RESTARTED = 'program-restarted'
/** What may not have been rolled up yet when the program was killed: mostly a minute or two, looked through from there on. */
const SLOTS_PER_READ = 3 * SLOTS_PER_MINUTE
const MOST_READS = 40
/** Everybody else who writes waits for this transaction: it must not wait for a turn of the event loop. */
const atOnce = async (): Promise<void> => {}

/** Less is what lies between two samples. */
const UNSEEN_MS = 15_000
/** An end may take so long, and samples may be missing for so long while the program runs. */
const UNSEEN_AT_END_MS = MINUTE_MS

/** Each broadcast that a schedule has begun, also those after one that never got on air. */
const OF_SCHEDULES: readonly string[] = ['schedule.started', 'schedule.restarted']

/** With these the whole of a stream's life is still to come. */
const BEGINNINGS: readonly string[] = ['stream.started', 'stream.live']

/** Another version may have written other fields: what is missing is not known, and the fact counts all the same. */
const Code = z.string().nullable().catch(null)
const Interrupted = z.object({ reason: z.string().catch('unknown'), planned: z.boolean().catch(false) })
const StillOff = z.object({ reason: z.string().catch('unknown') })
const Recovered = z.object({ offAirMs: z.number().nullable().catch(null) })
const Ended = z.object({ reason: z.string().catch('stopped'), cause: Code })
const Failed = z.object({ cause: Code })
const ScheduleStarted = z.object({ scheduleId: z.string(), title: z.string(), dueAt: z.number(), streamId: z.string() })

interface TakeFactsDeps {
  readonly lives: LivesRepo
  readonly clock: Clock
}

/** Writes down what follows from facts, in the transaction in which they are taken. */
export function createTakeFacts({ lives, clock }: TakeFactsDeps) {
  return async (inside: Db, facts: readonly ToldFact[]): Promise<void> => {
    await lives.seed(inside, clock.now())
    const ofStreams = facts.filter(({ subjectKind }) => subjectKind === 'stream')
    const before = await lives.load(inside, firstOfEach(ofStreams))
    const after = new Map<string, Life>(before)
    for (const told of ofStreams) {
      const [known, life] = [before.get(told.subjectId), after.get(told.subjectId)]
      const fact = life && known && (await lifeFact(inside, known, life, told))
      if (fact) after.set(told.subjectId, follow(life, fact))
    }
    const all = [...before].map(([id, known]) => ({ before: known, after: after.get(id) ?? known }))
    const changed = all.filter((life) => life.after !== life.before)
    await lives.save(inside, changed)
    for (const { fact, payload } of facts) {
      if (!OF_SCHEDULES.includes(fact)) continue
      const { data: schedule } = ScheduleStarted.safeParse(jsonOf(payload))
      if (schedule) await lives.noteSchedule(inside, schedule.streamId, schedule)
    }
  }
}

/** What is told of each of them first here, and the earliest time: somebody may have set the clock. */
function firstOfEach(facts: readonly ToldFact[]): Map<string, FirstTold> {
  const firsts = new Map<string, FirstTold>()
  for (const { subjectId, fact, at } of facts) {
    const { isBeginning, earliestAt } = firsts.get(subjectId) ?? {
      isBeginning: BEGINNINGS.includes(fact),
      earliestAt: at,
    }
    firsts.set(subjectId, { isBeginning, earliestAt: Math.min(earliestAt, at) })
  }
  return firsts
}

/** One that cannot be read must not hold up all that come after it: what is not known of it is left out, and it counts all the same. */
function jsonOf(payload: string): object {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(payload))
  } catch {
    return {}
  }
}

/** Null: it says nothing about the time on air. */
async function lifeFact(inside: Db, known: NumberedLife, life: Life, told: ToldFact): Promise<LifeFact | null> {
  const { at, fact } = told
  const payload = jsonOf(told.payload)
  switch (fact) {
    case 'stream.live':
      return { type: 'live', at, offAirMs: null }
    case 'stream.recovered':
      return { type: 'live', at, ...Recovered.parse(payload) }
    case 'stream.interrupted': {
      const { reason, planned } = Interrupted.parse(payload)
      const seen = reason === PROGRAM_RESTARTED ? await lastSeen(inside, known, life) : null
      return { type: 'interrupted', at, reason, planned, seenAt: seen !== null && seen < at - UNSEEN_MS ? seen : null }
    }
    case 'stream.still-off':
      return { type: 'still-off', at, ...StillOff.parse(payload) }
    case 'stream.ended': {
      // If the program was killed while a stream was ending, the next start tells the end.
      const seen = await lastSeen(inside, known, life)
      const seenAt = seen !== null && seen < at - UNSEEN_AT_END_MS ? seen : null
      return { type: 'ended', at, ...Ended.parse(payload), seenAt }
    }
    case 'stream.failed':
      return { type: 'ended', at, reason: 'failed', ...Failed.parse(payload), seenAt: null }
    default:
      return null
  }
}

/** When figures last said that it was on air; null: none did, or there are too many to look through. */
async function lastSeen(inside: Db, { streamNo, seenAt }: NumberedLife, { spans }: Life): Promise<number | null> {
  const run = spans.at(-1)
  if (run?.kind !== 'run') return null
  const from = Math.max(run.beganAt, seenAt === null ? run.beganAt : seenAt - MINUTE_MS)
  const samples = createSamplesRepo(inside)
  let last: number | null = null
  for (let read = 0, slot = slotOf(from); read < MOST_READS; read++, slot += SLOTS_PER_READ) {
    const seen = await samples.samples([streamNo], slot, slot + SLOTS_PER_READ, { step: atOnce })
    last = seen.findLast(({ state }) => state === LIVE_STATE)?.at ?? last
    if (last === null) return seenAt !== null && seenAt > run.beganAt ? seenAt : null
    // There the figures end.
    if (last < slot + SLOTS_PER_READ / 2) return (last + 1) * SLOT_MS
  }
  return null
}
