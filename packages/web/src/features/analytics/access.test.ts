import type { PlanId } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { describe, expect, it } from 'vitest'
import { accessOf, extraRefusal, rangeRefusal } from './access.ts'
import { rangeOf } from './range.ts'

const TODAY = '2026-11-16'
const of = (plan: PlanId, enforced = true): Standing => ({
  plan,
  state: 'active',
  endsAt: null,
  stopsAt: null,
  endsSoon: false,
  videosDeletedAt: null,
  suspendedFor: null,
  enforced,
})

describe('[STAT-04] what a plan shows', () => {
  it('refuses days that lie too far back, and names the plan that has them', () => {
    const refused = (plan: PlanId, choice: '7' | '30' | 'tahun') =>
      rangeRefusal(of(plan), rangeOf(choice, TODAY), TODAY)
    expect(refused('free-trial', '7')).toBeNull()
    expect(refused('free-trial', '30')).toMatch(/^Paket Free Trial .*7 hari terakhir.*Starter\.$/)
    expect(refused('free-trial', 'tahun')).toMatch(/upgrade ke Creator Pro\.$/)
    expect(refused('starter', '30')).toBeNull()
    expect(refused('creator-pro', 'tahun')).toBeNull()
  })

  it('names the plan that has what this one has not', () => {
    expect(extraRefusal(of('free-trial'), 'csv')).toMatch(/Starter/)
    expect(extraRefusal(of('starter'), 'live')).toMatch(/Creator Pro/)
    expect(extraRefusal(of('creator-pro'), 'report')).toMatch(/Business/)
    expect(extraRefusal(of('business'), 'report')).toBeNull()
  })

  it('refuses nothing before the plan is known, and nobody where plans are not enforced', () => {
    expect(extraRefusal(undefined, 'csv')).toBeNull()
    expect(rangeRefusal(undefined, rangeOf('tahun', TODAY), TODAY)).toBeNull()
    expect(accessOf(of('free-trial', false))).toEqual({ days: 365, csv: true, live: true, report: true })
  })
})
