import type { Alert } from '@siarin/contracts/alerts'
import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '../../components/button.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { classes } from '../../lib/classes.ts'
import { formatMoment } from '../../lib/format.ts'
import { agoWords } from './alert-words.ts'
import { KindIcon } from './kind-icon.tsx'

interface AlertRowProps {
  alert: Alert
  /** Where there is little room: the rest is read where it leads to. */
  short?: boolean
  nowMs: number
  onRead: () => void
}

/** One thing that happened. The whole row leads to where more is seen; reading it there counts as read. */
export function AlertRow({ alert, short = false, nowMs, onRead }: AlertRowProps) {
  const { kind, important, title, text, at, read, path } = alert
  return (
    <li
      data-read={read}
      className={classes('relative flex gap-3 px-4 py-3', path && 'transition-colors hover:bg-raised')}
    >
      <span className="relative h-fit shrink-0">
        <KindIcon kind={kind} important={important} />
        {!read && (
          <span aria-hidden className="absolute -top-0.5 -right-0.5 size-3 rounded-full bg-accent ring-2 ring-card" />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p dir="auto" className={classes('text-sm break-words', read ? 'font-medium' : 'font-bold')}>
          {!read && <span className="sr-only">Belum dibaca: </span>}
          {path ? (
            <Link
              to={path}
              className="-outline-offset-2 after:absolute after:inset-0 after:rounded-control"
              onClick={() => read || onRead()}
            >
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        <p
          dir="auto"
          className={classes('mt-0.5 text-xs break-words whitespace-pre-line text-ink-soft', short && 'line-clamp-3')}
        >
          {text}
        </p>
        <p className="mt-1 text-xs text-ink-soft tabular-nums">
          <time dateTime={at} title={formatMoment(at)}>
            {agoWords(at, nowMs)}
          </time>
        </p>
      </div>
      {!read && (
        <Tooltip text="Tandai dibaca">
          <Button
            look="quiet"
            size="icon"
            className="z-10 -my-1 -mr-1"
            aria-label={`Tandai dibaca: ${title}`}
            onClick={onRead}
          >
            <Check aria-hidden size={18} strokeWidth={1.75} />
          </Button>
        </Tooltip>
      )}
    </li>
  )
}
