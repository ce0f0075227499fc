import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChartMark, groupMarks } from './mark-groups.ts'

const mark = (at: number, tone: ChartMark['tone'] = 'trouble'): ChartMark => ({ at, tone, words: `at ${at}` })
const SPAN = { from: 0, to: 1000, width: 500 }

describe('[STAT-03] marks on the axis', () => {
  it('stand where their time is', () => {
    expect(groupMarks([mark(500), mark(0)], SPAN).map(({ x }) => x)).toEqual([0, 250])
  })

  it('are one where a finger could not choose, and amber if one of them is', () => {
    const [group, ...others] = groupMarks([mark(500, 'note'), mark(510), mark(520, 'note')], SPAN)
    expect(others).toEqual([])
    expect([group?.tone, group?.marks.length]).toEqual(['trouble', 3])
  })

  it('are never nearer than 24 px, and none within the time is lost', () => {
    const marks = fc.array(
      fc.integer({ min: -200, max: 1200 }).map((at) => mark(at)),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(marks, fc.integer({ min: 1, max: 1200 }), (all, width) => {
        const groups = groupMarks(all, { ...SPAN, width })
        const steps = groups.slice(1).map(({ x }, index) => x - (groups[index]?.x ?? 0))
        expect(steps.every((step) => step >= 24)).toBe(true)
        expect(groups.flatMap((group) => group.marks).length).toBe(all.filter(({ at }) => at >= 0 && at <= 1000).length)
      }),
    )
  })

  it('has none in a chart without width or time', () => {
    expect(groupMarks([mark(0)], { ...SPAN, width: 0 })).toEqual([])
    expect(groupMarks([mark(0)], { ...SPAN, to: 0 })).toEqual([])
  })
})
