import type { PlanId } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { describe, expect, it } from 'vitest'
import { addWindow, newScheduleForm, type ScheduleForm } from './schedule-form.ts'
import { noSchedules, planRefusal, scheduleRefusal, TIKTOK_REFUSAL } from './schedule-permit.ts'

const standing = (plan: PlanId, enforced = true): Standing => ({
  ...{ plan, enforced, state: 'active', endsAt: null, stopsAt: null, endsSoon: false },
  ...{ videosDeletedAt: null, suspendedFor: null },
})
const once = newScheduleForm(0)
const daily: ScheduleForm = { ...once, repeat: 'daily' }
const weekdays: ScheduleForm = { ...once, repeat: 'weekdays' }
const twice = addWindow(daily)
const words = (plan: PlanId, form: ScheduleForm): string | null => planRefusal(standing(plan), form)?.text ?? null

describe('[SCHED-05] what a plan may schedule', () => {
  it.each(['free-trial', 'starter'] as const)('%s: nothing, and it says which plan may', (plan) => {
    expect(words(plan, once)).toMatch(/belum punya siaran terjadwal\. Upgrade ke Creator Pro/)
    expect(words(plan, weekdays)).toMatch(/Upgrade ke Business/)
    expect(noSchedules(standing(plan))?.aboutPlan).toBe(true)
  })

  it('Creator Pro: once and daily, one time a day', () => {
    expect([words('creator-pro', once), words('creator-pro', daily)]).toEqual([null, null])
    for (const form of [weekdays, twice]) expect(words('creator-pro', form)).toMatch(/Upgrade ke Business/)
    expect(noSchedules(standing('creator-pro'))).toBeNull()
  })

  it('Business: everything; everyone, where nobody is held to a plan', () => {
    for (const form of [once, daily, weekdays, twice]) {
      expect(words('business', form)).toBeNull()
      expect(planRefusal(standing('free-trial', false), form)).toBeNull()
    }
    expect(noSchedules(standing('free-trial', false))).toBeNull()
  })

  it('is not judged before it is known', () => {
    expect([planRefusal(undefined, weekdays), noSchedules(undefined)]).toEqual([null, null])
  })
})

it('a TikTok account gives a key for a broadcast that begins now', () => {
  expect(scheduleRefusal(standing('business'), once, true)).toEqual({ text: TIKTOK_REFUSAL, aboutPlan: false })
  expect(scheduleRefusal(standing('business'), once, false)).toBeNull()
  expect(scheduleRefusal(standing('business'), null, true)).toBeNull()
})
