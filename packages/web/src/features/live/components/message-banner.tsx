import { CircleCheck, TriangleAlert } from 'lucide-react'
import { classes } from '../../../lib/classes.ts'
import type { Message } from '../state.ts'

/**
 * Has its own strip above the player, so that it hides nothing and nothing jumps when it comes and goes; it stays in sight when the page
 * is scrolled. A phone has no room for a strip: there it lies over the top bar, not over the tabs that stick below it.
 */
export function MessageBanner({ message }: { message: Message | null }) {
  const Icon = message?.error ? TriangleAlert : CircleCheck
  return (
    <div
      role={message?.error ? 'alert' : 'status'}
      data-testid="message"
      className="pointer-events-none fixed inset-x-2 top-1 z-40 flex justify-center md:sticky md:inset-x-auto md:top-18 md:z-20 md:mb-2 md:min-h-12 md:items-center lg:mr-[calc(5/12*(100%+1.5rem))] lg:justify-start"
    >
      {message && (
        <p
          key={message.id}
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
