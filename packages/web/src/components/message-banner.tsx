import { CircleCheck, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react'
import { Link } from 'react-router'
import { classes } from '../lib/classes.ts'
import type { Message, MessageTone } from '../lib/message.ts'

const FACES: Record<MessageTone, { Icon: LucideIcon; box: string; icon: string }> = {
  success: { Icon: CircleCheck, box: 'border-accent-line bg-card text-ink', icon: 'text-accent-ink' },
  info: { Icon: Info, box: 'border-line-strong bg-card text-ink', icon: 'text-ink-soft' },
  error: { Icon: TriangleAlert, box: 'border-warn-line bg-warn-wash text-warn-ink', icon: '' },
}

interface MessageBannerProps {
  message: (Message & { readonly id?: number }) | null
  /** `raised`: something else sticks above a phone's bottom bar, and the banner makes way for it. `in-place`: it lies over nothing. */
  place?: 'floating' | 'raised' | 'in-place'
  onClose?: (() => void) | undefined
}

const FLOATING = 'pointer-events-none fixed inset-x-2 z-40 flex justify-center md:bottom-6'

const PLACES: Record<NonNullable<MessageBannerProps['place']>, string> = {
  floating: `${FLOATING} max-md:bottom-[calc(4rem+env(safe-area-inset-bottom))]`,
  raised: `${FLOATING} max-md:bottom-[calc(9rem+env(safe-area-inset-bottom))]`,
  'in-place': '',
}

/** Where a message leads to; one that does stays for long, so it can be closed. */
const wayOf = ({ aboutPlan, aboutSchedule }: Message): Omit<WayProps, 'onClose'> | null => {
  if (aboutPlan) return { to: '/profile/plan', label: 'Lihat paket' }
  return aboutSchedule ? { to: '/fitur/jadwal', label: 'Lihat jadwal' } : null
}

interface WayProps {
  to: string
  label: string
  onClose: (() => void) | undefined
}

function Way({ to, label, onClose }: WayProps) {
  return (
    <span className="pointer-events-auto -my-2 -mr-3 ml-auto flex shrink-0 items-center">
      <Link
        to={to}
        className="flex min-h-11 items-center rounded-control px-2 font-semibold whitespace-nowrap underline underline-offset-4"
      >
        {label}
      </Link>
      <button
        type="button"
        aria-label="Tutup pesan"
        className="grid size-11 place-items-center rounded-control hover:bg-pressed"
        onClick={onClose}
      >
        <X aria-hidden size={18} strokeWidth={1.75} />
      </button>
    </span>
  )
}

/** Floats above the lower edge, so that nothing jumps and the tally in the header stays in sight; presses go through it. */
export function MessageBanner({ message, place = 'floating', onClose }: MessageBannerProps) {
  const face = message && FACES[message.tone]
  const way = message && wayOf(message)
  return (
    <div role={message?.tone === 'error' ? 'alert' : 'status'} data-testid="message" className={PLACES[place]}>
      {face && (
        <p
          key={message.id}
          data-tone={message.tone}
          className={classes(
            'flex max-w-text animate-rise items-start gap-2.5 rounded-[12px] border px-4 py-2.5 text-sm font-medium shadow-soft',
            way && 'w-full',
            face.box,
          )}
        >
          <face.Icon aria-hidden size={20} strokeWidth={1.75} className={classes('shrink-0', face.icon)} />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
            <span className="min-w-0 flex-[1_1_16rem] break-words">{message.text}</span>
            {way && <Way {...way} onClose={onClose} />}
          </span>
        </p>
      )}
    </div>
  )
}
