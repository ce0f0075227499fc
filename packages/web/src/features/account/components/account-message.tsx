import { CircleCheck, TriangleAlert } from 'lucide-react'
import { classes } from '../../../lib/classes.ts'
import type { Message } from '../use-message.ts'

/** Has its own place at the end of the heading's line, so that nothing jumps; on a phone it lies over the top bar. */
export function AccountMessage({ message }: { message: Message | null }) {
  const Icon = message?.error ? TriangleAlert : CircleCheck
  return (
    <div
      role={message?.error ? 'alert' : 'status'}
      data-testid="message"
      className="pointer-events-none fixed inset-x-2 top-1 z-40 flex justify-center md:static md:min-h-12 md:min-w-0 md:flex-1 md:items-center md:justify-end"
    >
      {message && (
        <p
          className={classes(
            'flex max-w-full animate-rise items-start gap-2.5 rounded-[12px] border px-4 py-2.5 text-sm font-medium shadow-soft',
            message.error ? 'border-warn-line bg-warn-wash text-warn-ink' : 'border-accent-line bg-card text-ink',
          )}
        >
          <Icon
            aria-hidden
            size={20}
            strokeWidth={1.75}
            className={classes('shrink-0', !message.error && 'text-accent-ink')}
          />
          <span className="min-w-0 break-words">{message.text}</span>
        </p>
      )}
    </div>
  )
}
