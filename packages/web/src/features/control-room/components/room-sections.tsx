import { useDeferredValue } from 'react'
import { firstRows, type RoomSection } from '../room-list.ts'
import { GROUP_WORDS, type RoomRow } from '../room-row.ts'
import { RoomRowItem } from './room-row-item.tsx'

/** So many are rendered in one go: in parts, what arrives meanwhile would begin each part anew. More come when the machine has a moment. */
const AT_ONCE = 100
/** Above so many, the browser lays out only those in sight. */
const SPARING_ABOVE = 50

interface RoomSectionsProps {
  sections: readonly RoomSection[]
  ticked: ReadonlySet<string>
  busyIds: ReadonlySet<string>
  /** The row that a link led to; null: none. */
  askedId: string | null
  onTick: (id: string, ticked: boolean) => void
  onTickAll: (rows: readonly RoomRow[], ticked: boolean) => void
  onAct: (row: RoomRow) => void
}

export function RoomSections(props: RoomSectionsProps) {
  const { sections, ticked, busyIds, askedId, onTick, onTickAll, onAct } = props
  const count = sections.reduce((sum, { rows }) => sum + rows.length, 0)
  const most = useDeferredValue(Number.POSITIVE_INFINITY, AT_ONCE)
  return (
    <div className="grid gap-6">
      {firstRows(sections, most).map(({ group, rows, painted }) => {
        const chosen = rows.filter(({ id }) => ticked.has(id)).length
        const all = chosen === rows.length
        return (
          <section key={group} aria-labelledby={`room-${group}`} className="min-w-0">
            <div className="mb-1 flex items-center gap-3 px-3">
              <label className="ml-px grid size-11 cursor-pointer place-items-center">
                <input
                  type="checkbox"
                  ref={(box) => {
                    if (box) box.indeterminate = chosen > 0 && !all
                  }}
                  checked={all}
                  aria-label={`Pilih semua: ${GROUP_WORDS[group]}`}
                  className="size-5 accent-(--color-accent)"
                  onChange={(event) => onTickAll(rows, event.currentTarget.checked)}
                />
              </label>
              <h2 id={`room-${group}`} className="text-sm font-bold text-ink-soft">
                {GROUP_WORDS[group]}
                <span className="ml-2 font-normal tabular-nums">{rows.length}</span>
              </h2>
            </div>
            <ul
              aria-labelledby={`room-${group}`}
              className="grid gap-3 md:block md:overflow-clip md:rounded-card md:border md:border-line"
            >
              {painted.map((row) => (
                <RoomRowItem
                  key={row.id}
                  row={row}
                  ticked={ticked.has(row.id)}
                  busy={busyIds.has(row.id)}
                  sparing={count > SPARING_ABOVE}
                  asked={row.id === askedId}
                  onTick={onTick}
                  onAct={onAct}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
