import { classes } from '../../lib/classes.ts'
import type { TabItem } from './menu.ts'

export const tabStyle = (highlighted: boolean): string =>
  classes(
    'group flex min-h-14 flex-col items-center justify-center gap-0.5 text-xs font-semibold -outline-offset-2',
    highlighted ? 'text-accent-ink' : 'text-ink-soft',
  )

/** Icon and word of a tab; where one is, the icon lies on a wash of the accent. */
export function TabFace({ tab }: { tab: TabItem }) {
  return (
    <>
      <span className="grid h-7 w-14 place-items-center rounded-full transition-colors group-aria-[current=page]:bg-accent-wash">
        <tab.icon aria-hidden size={20} strokeWidth={1.75} />
      </span>
      {tab.label}
    </>
  )
}
