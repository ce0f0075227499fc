import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classes } from '../lib/classes.ts'
import { formatNumber } from '../lib/format.ts'

/** value and onValueChange, or defaultValue; around a TabList and one TabPanel per tab. */
export const Tabs = Radix.Root

/** Name it with aria-label. The tabs share its width; give `className` a `w-fit` where they should not. */
export function TabList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List className={classes('flex border-b border-line', className)} {...rest} />
}

export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={classes(
        '-mb-px flex h-12 flex-1 items-center justify-center border-b-2 border-transparent px-4 text-sm font-semibold whitespace-nowrap text-ink-soft -outline-offset-2 transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-accent-ink',
        className,
      )}
      // Radix focuses a pressed tab by script, for which browsers draw the keyboard's ring.
      onMouseDown={(event) => event.currentTarget.focus({ focusVisible: false } as FocusOptions)}
      {...rest}
    />
  )
}

/** How many are behind a tab. For the eye alone: a tab keeps its name, and its list says its own length. */
export function TabCount({ count }: { count: number | undefined }) {
  if (!count) return null
  return (
    <span
      aria-hidden
      className="ml-1.5 min-w-5 rounded-full bg-raised px-1.5 text-center text-xs leading-5 tabular-nums"
    >
      {formatNumber(count)}
    </span>
  )
}

export const TabPanel = Radix.Content
