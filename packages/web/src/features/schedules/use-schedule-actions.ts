import type { Schedule, ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askConfirmation } from '../../lib/dialogs.ts'
import { featureMessage, isAboutPlan, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifyPlanLimit, notifySuccess, notifyWarning } from '../../lib/notify.ts'
import { removeSchedule, SCHEDULES_KEY, setPaused, skipDate } from './api/schedules.ts'

function tellFailure(error: unknown): void {
  if (error instanceof SessionEndedError) return
  const said = featureMessage(error, REQUEST_FAILED)
  if (isAboutPlan(error)) notifyPlanLimit(said)
  else notifyWarning(said)
}

/** Skips, pauses, resumes and deletes; each says how it went. `run` answers the server's words. */
export function useScheduleActions() {
  const queryClient = useQueryClient()
  const act = useMutation({
    mutationFn: ({ run }: { id: string; run: () => Promise<string> }) => run(),
    onSuccess: async (message) => {
      await queryClient.invalidateQueries({ queryKey: SCHEDULES_KEY })
      notifySuccess(message)
    },
    onError: tellFailure,
  })
  return {
    /** The schedule that something is done with just now. */
    busyId: act.isPending ? act.variables.id : null,
    skip: ({ scheduleId, date }: ScheduledOccurrence, skip: boolean): void =>
      act.mutate({ id: scheduleId, run: () => skipDate(scheduleId, { date, skip }) }),
    pause: ({ id }: Schedule, paused: boolean): void => act.mutate({ id, run: () => setPaused(id, paused) }),
    async askRemove({ id, title }: Schedule): Promise<void> {
      const consequence = `"${title}" tidak dimulai lagi. Siaran yang sedang tayang tetap berakhir pada waktunya.`
      const confirmed = await askConfirmation('Hapus jadwal ini?', consequence, 'Hapus')
      if (confirmed) act.mutate({ id, run: () => removeSchedule(id) })
    },
  }
}

export type ScheduleActions = ReturnType<typeof useScheduleActions>
