import { CircleCheck, TriangleAlert } from 'lucide-react'
import { classes } from '../../../lib/classes.ts'
import type { Message } from '../state.ts'

/** Floats under the header so that nothing jumps when it comes and goes. */
export function MessageBanner({ message }: { message: Message | null }) {
  const Icon = message?.error ? TriangleAlert : CircleCheck
  return (
    <div
      role={message?.error ? 'alert' : 'status'}
      data-testid="message"
      className="pointer-events-none fixed inset-x-4 top-17 z-20 flex justify-center md:top-20"
    >
      {message && (
        <p
          key={message.id}
          className={classes(
            'flex max-w-[40rem] animate-rise items-start gap-2.5 rounded-[12px] border px-4 py-3 text-sm font-medium shadow-soft',
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
