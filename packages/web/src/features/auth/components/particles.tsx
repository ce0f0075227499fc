import { PARTICLE_COUNT } from '@siarin/contracts/limits'
import { type CSSProperties, useState } from 'react'
import { useHydrated } from '../../../lib/use-hydrated.ts'
import { useReducedMotion } from '../../../lib/use-media.ts'

const between = (low: number, high: number): number => low + Math.random() * (high - low)

function scatter(): CSSProperties[] {
  return Array.from({ length: PARTICLE_COUNT }, () => {
    const size = between(2, 6)
    return {
      left: `${between(0, 100)}%`,
      top: `${between(0, 100)}%`,
      width: size,
      height: size,
      opacity: between(0.25, 0.6),
      animationDelay: `${-between(0, 18)}s`,
      '--drift-x': `${between(-80, 80)}px`,
      '--drift-y': `${between(-120, 120)}px`,
      '--drift-time': `${between(12, 24)}s`,
    } as CSSProperties
  })
}

/** Dust in the studio's light, behind the forms of Login and Register. */
export function Particles() {
  const [particles] = useState(scatter)
  const still = useReducedMotion()
  // Chance cannot be prerendered: the browser would scatter them elsewhere.
  const hydrated = useHydrated()
  if (still || !hydrated) return null
  return (
    <div aria-hidden data-testid="particles" className="pointer-events-none absolute inset-0 overflow-hidden">
      {particles.map((style, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are scattered once and never change places
        <span key={index} style={style} className="absolute animate-drift rounded-full bg-[var(--teal-8)]" />
      ))}
    </div>
  )
}
