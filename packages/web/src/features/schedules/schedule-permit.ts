import { PLANS, planOf } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { PLAN_TEXTS } from '@siarin/contracts/texts'
import type { ScheduleForm } from './schedule-form.ts'

/** What the form cannot save, whatever is typed. `aboutPlan`: a larger plan would. */
export interface ScheduleRefusal {
  readonly text: string
  readonly aboutPlan: boolean
}

export const TIKTOK_REFUSAL =
  'TikTok memberi stream key baru untuk setiap siaran, jadi siaran lewat akun TikTok belum bisa dijadwalkan. Pilih platform lain, centang tujuan tersimpan saja, atau siarkan sekarang.'

type Permit = 'none' | 'automatic' | 'advanced'

/** Where the operator holds nobody to a plan, everyone has everything. */
const permitOf = ({ plan, enforced }: Standing): Permit => (enforced ? planOf(plan).limits.schedule : 'advanced')

const needs = ({ repeat, windows }: Pick<ScheduleForm, 'repeat' | 'windows'>): Permit =>
  repeat === 'weekdays' || windows.length > 1 ? 'advanced' : 'automatic'

/** The first plan that is enough. */
const enough = (needed: Permit): string | null =>
  PLANS.find(({ limits }) => limits.schedule === needed || limits.schedule === 'advanced')?.name ?? null

/** Why the plan has no such schedule, with the way up; null: it has, or nobody knows yet and the server will say. */
export function planRefusal(standing: Standing | undefined, form: ScheduleForm): ScheduleRefusal | null {
  if (!standing) return null
  const permit = permitOf(standing)
  const needed = needs(form)
  if (permit === 'advanced' || permit === needed) return null
  const says = permit === 'none' ? PLAN_TEXTS.noSchedules : PLAN_TEXTS.simpleSchedules
  return { text: says(planOf(standing.plan).name, enough(needed)), aboutPlan: true }
}

/** The same for somebody who has not begun to fill in anything. */
export function noSchedules(standing: Standing | undefined): ScheduleRefusal | null {
  if (!standing || permitOf(standing) !== 'none') return null
  return { text: PLAN_TEXTS.noSchedules(planOf(standing.plan).name, enough('automatic')), aboutPlan: true }
}

/** `asksTikTok`: its target is one that TikTok gives when it begins. */
export function scheduleRefusal(
  standing: Standing | undefined,
  form: ScheduleForm | null,
  asksTikTok: boolean,
): ScheduleRefusal | null {
  if (!form) return null
  return planRefusal(standing, form) ?? (asksTikTok ? { text: TIKTOK_REFUSAL, aboutPlan: false } : null)
}
