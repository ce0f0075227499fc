import { appendFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, SQLITE, type TestDatabases } from '../../support/databases.ts'
import { call } from '../../support/program.ts'
import { freshRedis } from '../../support/shared-servers.ts'
import { QUICK, WHOLE } from './amounts.ts'
import { createSender, type Sender } from './burst.ts'
import { createCalls } from './calls.ts'
import { type Measured, measure } from './measure.ts'
import { type Neighbour, percentile, startNeighbour } from './neighbour.ts'
import { inOrder, nameOf } from './operations.ts'
import { openStage, type Stage } from './stage.ts'
import { type Bounds, faultsOf, rowOf, tableOf } from './verdict.ts'

/** `npm run test:hostile` is the whole form. The short one runs beside other tests, so it asserts times at five times their bound. */
const isWhole = process.env['SIARIN_HOSTILE'] === 'long'
const NOISE = isWhole ? 1 : 5
const BOUNDS: Bounds = { stallMs: 50 * NOISE, peakMb: isWhole ? 300 : null }
const callsAll = isWhole || isWholeRun
/** More than an account has places for. */
const AT_ONCE = callsAll ? 60 : 8
/** Each reads for half a second. For every change one alone has to show what it holds up; that their places are few has tests of its own. */
const READS_LONG = /^GET \/fitur\/analytics\//
const FEW = 2
const atOnceOf = (operation: string): number => (!callsAll && READS_LONG.test(operation) ? FEW : AT_ONCE)
/**
 * For every change: what has to read much, without what waits for an ffmpeg. The run is to be over in a minute or two then; `npm run test:all`
 * calls every operation.
 */
const READS_MUCH =
  /^(?:GET (?!.*\/(?:file|segment|picture|thumbnail|preview))|(?:POST|PATCH) \/fitur\/schedule|POST \/fitur\/broadcast\/\{id\}\/stop|DELETE \/auth\/profile)/
/** Another account is served within three times of what is usual, or within the time for which one call may hold the loop. */
const neighbourBound = (usualMs: number): number => Math.max(3 * usualMs, BOUNDS.stallMs)
/** Only the whole form says how long the neighbour may wait. At its rhythm the short one would spend a third of its work on the neighbour. */
const NEIGHBOUR_MS = isWhole ? 20 : 250
const LISTEN_MS = isWhole ? 10_000 : 1_500
const DERIVED_MS = 60_000
/** For who looks for a cause: each row as soon as it is known, and only the operations that this expression finds. */
const { SIARIN_TABLE = '', SIARIN_ONLY = '' } = process.env

describe.each(isWhole || isWholeRun ? BOTH_DATABASES : [SQLITE])(
  '[SAFE-07] an account that owns as much as it can, on $name',
  { timeout: 7_200_000 },
  ({ name, open }) => {
    let stage: Stage
    let databases: TestDatabases
    let neighbour: Neighbour
    let sender: Sender

    beforeAll(async () => {
      databases = await open()
      const redis = name === 'PostgreSQL' ? { REDIS_URL: await freshRedis() } : {}
      const settings = { ...(await databases.settings()), ...redis }
      stage = await openStage(settings, isWhole ? WHOLE : QUICK, { givesWay: isWhole })
      sender = createSender(stage.siarin.url)
      neighbour = startNeighbour(stage.siarin.url, stage.neighbour.apiKey, NEIGHBOUR_MS)
      // Those who call have machines of their own: sixty readers of large answers would take the program's cores from it here.
      if (isWhole) setPriority(constants.priority.PRIORITY_LOW)
      // Until it is warm.
      await sleep(LISTEN_MS)
    }, 1_800_000)
    afterAll(async () => {
      neighbour?.stop()
      sender?.close()
      await stage?.close()
      await databases.stop()
    })

    it('has rows in every table that an account can have rows in', async () => {
      // The program itself fills those whose rows follow from others.
      const isFilled = async () => (await stage.forgotten()).length === 0
      await waitFor('every table to be filled', isFilled, { timeoutMs: DERIVED_MS, everyMs: 1_000 }).catch(() => {})
      expect(await stage.forgotten()).toEqual([])
    })

    it('holds nobody up, whatever it calls, alone or many times at once', async () => {
      const document = (await call(stage.siarin.url, 'GET', '/openapi.json')).body
      await neighbour.take()
      await stage.probe.look()
      await sleep(LISTEN_MS)
      const idle = await stage.probe.look()
      const usual = percentile(await neighbour.take(), 0.99)
      const leases = await stage.leases()
      const { unknown, measured } = await measureAll(document)
      const times = measured.flatMap(({ neighbourTimes }) => neighbourTimes)
      const beside = percentile(times, 0.99)
      process.stdout.write(
        `${name}: with nobody else it holds the loop for ${Math.round(idle.cpuMs)} ms; a neighbour's p99 is ${usual.toFixed(1)} ms then, and ${beside.toFixed(1)} ms beside it\n${tableOf(measured)}\n`,
      )
      expect(unknown).toEqual([])
      expect(faultsOf(measured, BOUNDS)).toEqual([])
      expect(idle.cpuMs).toBeLessThan(BOUNDS.stallMs)
      // Other tests beside it would be taken for the account's doing: there is no telling by the clock whose turn it was.
      if (isWhole) expect(beside).toBeLessThan(neighbourBound(usual))
      expect(await stage.leases()).toEqual(leases)
    })

    async function measureAll(document: Parameters<typeof inOrder>[0]) {
      const callsOf = createCalls({ ...stage, aloneCalls: isWhole ? 3 : 1, atOnceOf })
      const unknown: string[] = []
      const measured: Measured[] = []
      const wanted = new RegExp(SIARIN_ONLY)
      for (const operation of inOrder(document).filter(
        (each) => wanted.test(nameOf(each)) && (callsAll || READS_MUCH.test(nameOf(each))),
      )) {
        const calls = callsOf(operation)
        if (!calls) unknown.push(nameOf(operation))
        for (const each of calls ?? []) {
          const row = await measure(each, { sender, neighbour, look: stage.probe.look, revive: stage.revive })
          measured.push(row)
          if (SIARIN_TABLE) appendFileSync(SIARIN_TABLE, `${rowOf(row)}\n`)
        }
      }
      return { unknown, measured }
    }
  },
)
