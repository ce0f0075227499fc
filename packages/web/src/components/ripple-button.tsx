import { RIPPLE_MS } from '@siarin/contracts/limits'
import { type ComponentProps, type MouseEvent, useState } from 'react'
import { useReducedMotion } from '../lib/use-media.ts'
import { Button } from './button.tsx'

interface Ripple {
  id: number
  x: number
  y: number
  size: number
}

/** Where the finger landed; a press by keyboard has no place and starts in the middle. */
function rippleAt(event: MouseEvent<HTMLButtonElement>): Ripple {
  const box = event.currentTarget.getBoundingClientRect()
  const byKeyboard = event.detail === 0
  const x = byKeyboard ? box.width / 2 : event.clientX - box.left
  const y = byKeyboard ? box.height / 2 : event.clientY - box.top
  return { id: event.timeStamp, x, y, size: 2 * Math.hypot(Math.max(x, box.width - x), Math.max(y, box.height - y)) }
}

export function RippleButton({ children, onClick, ...rest }: ComponentProps<typeof Button>) {
  const still = useReducedMotion()
  const [ripples, setRipples] = useState<Ripple[]>([])

  return (
    <Button
      {...rest}
      onClick={(event) => {
        if (!still) {
          const ripple = rippleAt(event)
          setRipples((present) => [...present, ripple])
          setTimeout(() => setRipples((present) => present.filter(({ id }) => id !== ripple.id)), RIPPLE_MS)
        }
        onClick?.(event)
      }}
    >
      {children}
      {ripples.map(({ id, x, y, size }) => (
        <span
          key={id}
          aria-hidden
          data-testid="ripple"
          className="pointer-events-none absolute scale-0 animate-ripple rounded-full bg-current opacity-30"
          style={{ left: x - size / 2, top: y - size / 2, width: size, height: size }}
        />
      ))}
    </Button>
  )
}
