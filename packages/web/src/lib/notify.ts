import { TOAST_MS } from '@siarin/contracts/limits'
import { toast } from 'sonner'

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
