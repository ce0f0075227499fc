import type { StartBroadcastBody } from '@siarin/contracts/broadcasts'
import type { StartStreamBody } from '@siarin/contracts/streams'
import { createSchedule } from './api/schedules.ts'
import { readRule, type ScheduleForm } from './schedule-form.ts'

export const SAVE_FAILED = 'Gagal menyimpan jadwal'

/** What is missing in the form; null: nothing. */
export function scheduleFault(form: ScheduleForm): string | null {
  const read = readRule(form, Date.now())
  return read.ok ? null : read.text
}

/** Saves what the Go form would start; answers what the server says. */
export async function saveSchedule(
  form: ScheduleForm,
  broadcast: StartStreamBody | StartBroadcastBody,
): Promise<string> {
  const read = readRule(form, Date.now())
  if (!read.ok) throw new Error(read.text)
  return createSchedule({ rule: read.rule, endAtPass: form.endAtPass, broadcast: { rtmpStream: '', ...broadcast } })
}
