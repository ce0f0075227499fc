import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { askConfirmation } from '../../lib/dialogs.ts'
import { isAboutPlan } from '../../lib/feature-calls.ts'
import { notifyPlanLimit, notifySuccess, notifyWarning } from '../../lib/notify.ts'
import { activeStreamsQuery } from '../broadcasts/api/active-streams.ts'
import { streamHistoryQuery } from '../broadcasts/api/past-streams.ts'
import { broadcastsQuery, startAgain, stopBroadcast } from './api/broadcasts.ts'
import type { RoomRow } from './room-row.ts'
import { namesOf, type Outcome, outcomeWords } from './room-words.ts'

/** TikTok gives another address for each broadcast, which the Go form asks for. */
export const isStartable = ({ isOpen, again }: RoomRow): boolean =>
  !isOpen && again.length > 0 && again.every(({ platform }) => platform !== 'tiktok')

export const isStoppable = ({ isOpen, stopping }: RoomRow): boolean => isOpen && !stopping

function tell(outcome: Outcome, verb: string): void {
  const { title, reason } = outcomeWords(outcome, verb)
  const aboutPlan = outcome.failures.some(isAboutPlan)
  if (reason === null) notifySuccess(title)
  else if (aboutPlan) notifyPlanLimit(`${title} ${reason}`)
  else notifyWarning(title, reason)
}

/** A hundred calls at once would keep the page's other calls waiting. */
const STOPS_AT_ONCE = 4

const NOBODY: ReadonlySet<string> = new Set()

/** Stops and starts rows, several at once, and says how that went. */
export function useRoomActions() {
  const queryClient = useQueryClient()
  const [busyIds, setBusyIds] = useState(NOBODY)

  const run = useCallback(
    async (rows: readonly RoomRow[], verb: string, work: () => Promise<Outcome>): Promise<void> => {
      const ids = new Set(rows.map(({ id }) => id))
      setBusyIds((known) => new Set([...known, ...ids]))
      try {
        tell(await work(), verb)
        const lists = [activeStreamsQuery().queryKey, broadcastsQuery().queryKey, streamHistoryQuery().queryKey]
        await Promise.all(lists.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
      } finally {
        setBusyIds((known) => new Set([...known].filter((id) => !ids.has(id))))
      }
    },
    [queryClient],
  )

  /** Answers whether it was done: the person may have thought better of it. */
  const stop = useCallback(
    async (rows: readonly RoomRow[]): Promise<boolean> => {
      const question = rows.length === 1 ? STREAM_TEXTS.confirmStop : `Hentikan ${rows.length} siaran?`
      const consequence = `${namesOf(rows)} berhenti di semua tujuannya. Penonton tidak lagi melihatnya.`
      if (!(await askConfirmation(question, consequence, 'Hentikan'))) return false
      await run(rows, 'dihentikan', async () => {
        const failures: unknown[] = []
        const left = [...rows]
        const stopInTurn = async (): Promise<void> => {
          for (let row = left.shift(); row; row = left.shift()) {
            await stopBroadcast(row.id).catch((error: unknown) => void failures.push(error))
          }
        }
        await Promise.all(Array.from({ length: STOPS_AT_ONCE }, stopInTurn))
        return { done: rows.length - failures.length, failures }
      })
      return true
    },
    [run],
  )

  const start = useCallback(
    (rows: readonly RoomRow[]): Promise<void> =>
      run(rows, 'dimulai lagi', async () => {
        const failures: unknown[] = []
        // One after another: each takes places of the plan, and the first ones are to have them.
        for (const { again } of rows) await startAgain(again).catch((error: unknown) => void failures.push(error))
        return { done: rows.length - failures.length, failures }
      }),
    [run],
  )

  return { stop, start, busyIds }
}
