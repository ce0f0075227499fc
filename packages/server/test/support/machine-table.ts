import type { KeyVerdict } from '@siarin/testkit/referee'
import { expect } from 'vitest'

/** 'fault': back within 15 s. 'hand-over': within 3 s. 'nothing': nobody moves, and no publisher comes or goes. */
export type Promised = 'fault' | 'hand-over' | 'nothing'

const GAP_MS: Record<Promised, number> = { fault: 15_000, 'hand-over': 3_000, nothing: 1_500 }

interface CaseRow {
  readonly name: string
  readonly promised: Promised
  readonly verdicts: readonly KeyVerdict[]
  readonly moved: number
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(5)

/** A row for each case. What the issue promises is asserted as it stands there: this is no matter of a noisy machine. */
export function openMachineTable(title: string) {
  const lines: string[] = []
  return {
    add({ name, promised, verdicts, moved }: CaseRow): void {
      const overlapMs = Math.max(...verdicts.map((each) => each.overlapMs))
      const gapMs = Math.max(...verdicts.map((each) => each.gapMs))
      const arrivals = verdicts.reduce((sum, each) => sum + each.arrivals, 0)
      const within = `at most ${seconds(GAP_MS[promised])} s`
      const broken = overlapMs > 0 || gapMs > GAP_MS[promised] || (promised === 'nothing' && arrivals + moved > 0)
      const line = `${name.padEnd(64)} overlap ${seconds(overlapMs)} s  gap ${seconds(gapMs)} s  ${within}  moved ${moved}  sessions ${arrivals}${broken ? '  BROKEN' : ''}`
      lines.push(line)
      process.stdout.write(`${line}\n`)
      expect(overlapMs, `two publishers at once, ms: ${name}`).toBe(0)
      expect(gapMs, `off air, ms: ${name}`).toBeLessThanOrEqual(GAP_MS[promised])
      if (promised === 'nothing') expect({ moved, arrivals }, name).toEqual({ moved: 0, arrivals: 0 })
    },
    print(): void {
      if (lines.length > 0) process.stdout.write(`\n${title}\n${lines.join('\n')}\n\n`)
    },
  }
}
