import { CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import { classes } from '../lib/classes.ts'
import type { Message, MessageTone } from '../lib/message.ts'

const FACES: Record<MessageTone, { Icon: LucideIcon; box: string; icon: string }> = {
  success: { Icon: CircleCheck, box: 'border-accent-line bg-card text-ink', icon: 'text-accent-ink' },
  info: { Icon: Info, box: 'border-line-strong bg-card text-ink', icon: 'text-ink-soft' },
  error: { Icon: TriangleAlert, box: 'border-warn-line bg-warn-wash text-warn-ink', icon: '' },
}

interface MessageBannerProps {
  message: (Message & { readonly id?: number }) | null
  /** Something else sticks above a phone's bottom bar: the banner makes way for it. */
  raised?: boolean
}

/** Floats above the lower edge, so that nothing jumps and the tally in the header stays in sight; presses go through it. */
export function MessageBanner({ message, raised = false }: MessageBannerProps) {
  const face = message && FACES[message.tone]
  return (
    <div
      role={message?.tone === 'error' ? 'alert' : 'status'}
      data-testid="message"
      className={classes(
        'pointer-events-none fixed inset-x-2 z-40 flex justify-center md:bottom-6',
        raised
          ? 'max-md:bottom-[calc(9rem+env(safe-area-inset-bottom))]'
          : 'max-md:bottom-[calc(4rem+env(safe-area-inset-bottom))]',
      )}
    >
      {face && (
        <p
          key={message.id}
          data-tone={message.tone}
          className={classes(
            'flex max-w-text animate-rise items-start gap-2.5 rounded-[12px] border px-4 py-2.5 text-sm font-medium shadow-soft',
            face.box,
          )}
        >
          <face.Icon aria-hidden size={20} strokeWidth={1.75} className={classes('shrink-0', face.icon)} />
          <span className="min-w-0 break-words">{message.text}</span>
        </p>
      )}
    </div>
  )
}
