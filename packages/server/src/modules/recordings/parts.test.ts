import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldParts, interruptionOf, type Part, withStretch } from './parts.ts'
import type { SentPiece } from './sent.ts'
import type { SentStretch } from './sweep.ts'

const stretch = (at: number, ms: number, piece: Partial<SentPiece> = {}): SentStretch => ({
  ...{ at, ms, skippedMs: 0 },
  piece: { streamId: 'a', session: 's1', reason: null, ...piece } as SentPiece,
})

function partsOf(stretches: readonly SentStretch[]): Part[] {
  const parts: Part[] = []
  for (const [index, each] of stretches.entries()) {
    withStretch(parts, { ...each, interruption: interruptionOf(stretches[index - 1], each) })
  }
  return parts
}

const anyParts = fc
  .array(fc.record({ gap: fc.integer({ min: 2, max: 60_000 }), ms: fc.integer({ min: 1, max: 60_000 }) }), {
    maxLength: 60,
  })
  .map((steps) => {
    let at = 0
    return steps.map(({ gap, ms }, index) => {
      const own = stretch(at + gap, ms, { session: `s${index}` })
      at += gap + ms
      return own
    })
  })

describe('interruptions', () => {
  it('are told where nothing was sent between two sessions', () => {
    const parts = partsOf([stretch(0, 10_000), stretch(15_000, 10_000, { session: 's2', reason: 'target-closed' })])
    expect(parts).toEqual([
      { at: 0, until: 10_000, fromMs: 0, ms: 10_000, interruption: null, folded: 0 },
      { at: 15_000, until: 25_000, fromMs: 10_000, ms: 10_000, interruption: 'target-closed', folded: 0 },
    ])
  })

  it('are told of a new session of the same stream, however short they seem: on a busy machine its begin is seen late', () => {
    const parts = partsOf([stretch(0, 10_000), stretch(10_000, 5_000, { session: 's2', reason: 'video-changed' })])
    expect(parts.map(({ interruption }) => interruption)).toEqual([null, 'video-changed'])
  })

  it('are none where another target went on, or within a session', () => {
    const other = { streamId: 'b', session: 'b1' }
    expect(partsOf([stretch(0, 10_000), stretch(10_000, 5_000, other), stretch(15_000, 1_000)])).toHaveLength(1)
    expect(partsOf([stretch(0, 10_000), stretch(12_000, 5_000)])).toHaveLength(1)
  })
})

describe('[SAFE-07] parts that are too many to be shown', () => {
  it('are folded: none is lost, the longest interruptions are told, and each says how many it has', () => {
    fc.assert(
      fc.property(anyParts, fc.integer({ min: 1, max: 40 }), (stretches, most) => {
        const parts = partsOf(stretches)
        const folded = foldParts(parts, most)
        expect(folded).toHaveLength(Math.min(most, parts.length))
        const sum = (all: readonly Part[]): number => all.reduce((total, { ms }) => total + ms, 0)
        expect(sum(folded)).toBe(sum(parts))
        expect(folded.reduce((total, part) => total + part.folded, 0)).toBe(parts.length - folded.length)
        expect(folded.at(-1)?.until).toBe(parts.at(-1)?.until)
        const gaps = (all: readonly Part[]): number[] =>
          all.slice(1).map(({ at }, index) => at - (all[index]?.until ?? 0))
        expect(gaps(folded).toSorted((a, b) => b - a)).toEqual(
          gaps(parts)
            .toSorted((a, b) => b - a)
            .slice(0, Math.max(0, folded.length - 1)),
        )
      }),
    )
  })
})
