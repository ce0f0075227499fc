import { useEffect } from 'react'
import { Button } from '../../../components/button.tsx'
import type { RoomRow } from '../room-row.ts'
import { isStartable, isStoppable } from '../use-room-actions.ts'

interface SelectionBarProps {
  rows: readonly RoomRow[]
  busy: boolean
  onStop: (rows: readonly RoomRow[]) => void
  onStart: (rows: readonly RoomRow[]) => void
  onClear: () => void
}

/** Escape unticks, unless it closes a dialog or clears a search. */
function useEscape(active: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!active) return
    const press = (event: KeyboardEvent): void => {
      const { target } = event
      const isElsewhere = target instanceof Element && target.closest('[role="alertdialog"], [type="search"]')
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) onEscape()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [active, onEscape])
}

/** What can be done with the ticked rows; it stays in sight while the list scrolls. */
export function SelectionBar({ rows, busy, onStop, onStart, onClear }: SelectionBarProps) {
  const stoppable = rows.filter(isStoppable)
  const startable = rows.filter(isStartable)
  useEscape(rows.length > 0, onClear)
  if (rows.length === 0) return null
  return (
    <div
      role="toolbar"
      aria-label="Siaran yang dipilih"
      className="sticky bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-20 mt-4 flex flex-wrap items-center gap-2 rounded-card border border-line bg-card px-4 py-2.5 shadow-soft md:bottom-4"
    >
      <p role="status" className="mr-auto text-sm font-semibold tabular-nums">
        {rows.length} dipilih
      </p>
      {stoppable.length > 0 && (
        <Button look="danger" size="small" busy={busy} disabled={busy} onClick={() => onStop(stoppable)}>
          Hentikan {stoppable.length}
        </Button>
      )}
      {startable.length > 0 && (
        <Button look="secondary" size="small" busy={busy} disabled={busy} onClick={() => onStart(startable)}>
          Mulai lagi {startable.length}
        </Button>
      )}
      <Button look="quiet" size="small" onClick={onClear}>
        Batal
      </Button>
    </div>
  )
}
