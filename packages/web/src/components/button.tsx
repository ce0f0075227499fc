import type { ComponentProps } from 'react'
import { type ButtonLook, type ButtonSize, buttonStyle } from './button-styles.ts'
import { Spinner } from './spinner.tsx'

interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook
  size?: ButtonSize
  /** Shows a spinner before the label; the caller changes the label and disables. */
  busy?: boolean
}

export function Button({ look = 'primary', size = 'normal', busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={buttonStyle(look, size, className)} aria-busy={busy || undefined} {...rest}>
      {busy && <Spinner />}
      {children}
    </button>
  )
}
