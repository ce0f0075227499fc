import { useQuery } from '@tanstack/react-query'
import { Bell as BellIcon } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ComponentProps, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { Sheet } from '../../components/sheet.tsx'
import { useBlockingNotice } from '../../lib/blocking-notice.ts'
import { classes } from '../../lib/classes.ts'
import { keptChannel } from '../../lib/own-push.ts'
import { useSession } from '../../lib/session.ts'
import { usePhone } from '../../lib/use-media.ts'
import { useStopped } from '../standing/api/standing.ts'
import { bellLabel, countWords } from './alert-words.ts'
import { latestAlertsQuery, unreadQuery } from './api/alerts.ts'
import { BellPanel } from './components/bell-panel.tsx'

/** The newest alert that has come since the page was opened, for screen readers; what was there before is not news. */
function useNews(newestId: string | null | undefined): string {
  const [first, setFirst] = useState<string | null>()
  if (first === undefined && newestId !== undefined) setFirst(newestId)
  const isNew = newestId != null && first !== undefined && newestId !== first
  const { data } = useQuery({ ...latestAlertsQuery(newestId ?? null), enabled: isNew })
  const newest = isNew ? data?.find(({ id }) => id === newestId) : undefined
  return newest && !newest.read ? `Notifikasi baru: ${newest.title}` : ''
}

/** Its code comes where this browser gets pushes: most get none. */
function useOwnPush(enabled: boolean): void {
  const { token } = useSession()
  useEffect(() => {
    if (!enabled || token === null || keptChannel() === null) return
    void import('./push-here.ts').then(({ followSession }) => followSession(token))
  }, [enabled, token])
}

interface BellButtonProps extends ComponentProps<'button'> {
  unread: number
}

function BellButton({ unread, className, ...rest }: BellButtonProps) {
  return (
    <button
      type="button"
      aria-label={bellLabel(unread)}
      className={classes(
        'relative grid size-11 shrink-0 place-items-center rounded-control text-ink-soft transition-colors hover:bg-raised aria-expanded:bg-raised aria-expanded:text-ink md:size-10',
        className,
      )}
      {...rest}
    >
      <BellIcon aria-hidden size={20} strokeWidth={1.75} />
      {unread > 0 && (
        <span
          aria-hidden
          data-testid="unread"
          className="absolute top-0.5 right-0.5 min-w-4.5 rounded-full bg-accent px-1 text-center text-[0.6875rem] leading-4.5 font-bold text-on-accent tabular-nums ring-2 ring-card md:top-0 md:right-0"
        >
          {countWords(unread)}
        </span>
      )}
    </button>
  )
}

/** What has happened, on every screen of a member: a list over the page, or a sheet on a phone. */
export function Bell() {
  const { key } = useLocation()
  const isPhone = usePhone()
  const noticed = useBlockingNotice() !== null
  const stopped = useStopped() !== null
  const { data } = useQuery({ ...unreadQuery(), enabled: !noticed && !stopped })
  useOwnPush(!noticed && !stopped)
  const news = useNews(data?.newestId)
  // It belongs to the place where it was opened, so any change of route closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const open = openedAt === key
  const setOpen = (opens: boolean): void => setOpenedAt(opens ? key : null)
  const unread = data?.unread ?? 0
  // Nothing is told to somebody who may not ask.
  if (stopped) return null
  return (
    <>
      <span aria-live="polite" data-testid="news" className="sr-only">
        {news}
      </span>
      {isPhone ? (
        <>
          <BellButton unread={unread} aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(true)} />
          {open && (
            <Sheet open onClose={() => setOpen(false)} label="Notifikasi">
              <div className="-mx-3">
                <BellPanel />
              </div>
            </Sheet>
          )}
        </>
      ) : (
        <Popover.Root open={open} onOpenChange={setOpen}>
          <Popover.Trigger asChild>
            <BellButton unread={unread} />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              align="end"
              sideOffset={8}
              collisionPadding={16}
              aria-label="Notifikasi"
              className="z-40 flex max-h-[min(36rem,var(--radix-popover-content-available-height))] w-104 animate-appear flex-col overflow-hidden rounded-card border border-line bg-card shadow-soft"
            >
              <BellPanel />
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </>
  )
}
