import { type ReactNode, useId } from 'react'
import type { QuietRoom } from '../online-video.ts'

const WORDS: Record<QuietRoom['state'], string> = {
  offline: 'Offline',
  unknown: 'Tidak dikenal',
  blocked: 'Ditolak',
  unreachable: 'Tidak terhubung',
}

/** Accounts whose rooms cannot be picked now, each with the reason. */
export function QuietRooms({ rooms, action }: { rooms: readonly QuietRoom[]; action: ReactNode }) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="border-t border-line">
      <div className="flex items-center justify-between gap-3 pt-3 pr-1 pl-4">
        <h2 id={headingId} className="text-sm font-bold">
          Tidak sedang siaran
        </h2>
        {action}
      </div>
      <ul aria-labelledby={headingId} className="max-h-[400px] overflow-y-auto pt-1 pb-3">
        {rooms.map(({ accountId, name, siteId, state, message }) => (
          <li key={accountId || siteId} className="px-4 py-2 text-xs text-ink-soft">
            <span className="flex items-baseline justify-between gap-3">
              <span dir="auto" className="truncate text-left text-sm font-semibold text-ink" title={name}>
                {name}
              </span>
              <span className="shrink-0 font-semibold">{WORDS[state]}</span>
            </span>
            {message && <span className="mt-0.5 block break-words text-pretty">{message}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
