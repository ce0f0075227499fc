import { describe, expect, it } from 'vitest'
import { sparkPoints } from './spark-points.ts'

describe('the sparkline', () => {
  it('ends at the right and touches the top with its highest', () => {
    expect(sparkPoints([50, 100], 59, 20)).toBe('58,10 59,0')
  })

  it('keeps its scale where a top is given', () => {
    expect(sparkPoints([25, 50], 59, 20, 100)).toBe('58,15 59,10')
  })

  it('needs two points and lies flat when there is nothing', () => {
    expect(sparkPoints([5], 59, 20)).toBeNull()
    expect(sparkPoints([0, 0], 59, 20)).toBe('58,20 59,20')
  })
})
