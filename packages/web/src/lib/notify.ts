import { TOAST_MS } from '@siarin/contracts/limits'
import { createElement } from 'react'
import { Link } from 'react-router'
import { toast } from 'sonner'
import { PLAN_MESSAGE_MS } from './message.ts'

/** Long enough to read two sentences; the specification gives times for successes only. */
const WARNING_MS = 6000

const options = (description: string | undefined, duration: number) => ({
  duration,
  ...(description !== undefined && { description }),
})

export const notifySuccess = (title: string, description?: string, durationMs: number = TOAST_MS): void => {
  toast.success(title, options(description, durationMs))
}

export const notifyWarning = (title: string, description?: string): void => {
  toast.warning(title, options(description, WARNING_MS))
}

/** A refusal that a larger plan would lift. */
export const notifyPlanLimit = (title: string): void => {
  const way = createElement(Link, { to: '/profile/plan', className: 'shrink-0 font-semibold underline' }, 'Lihat paket')
  toast.warning(title, { duration: PLAN_MESSAGE_MS, closeButton: true, action: way })
}
