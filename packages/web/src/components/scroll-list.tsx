import { ChevronDown } from 'lucide-react'
import { Children, type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import { classes } from '../lib/classes.ts'

/** Less than this is no row worth a hint. */
const HIDDEN_MIN_PX = 8

/** True while the list goes on below its lower edge. */
function useMoreBelow(list: RefObject<HTMLUListElement | null>, count: number): boolean {
  const [more, setMore] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are to be watched when their count has changed
  useEffect(() => {
    const { current } = list
    if (!current) return
    const measure = (): void => setMore(current.scrollHeight - current.scrollTop - current.clientHeight > HIDDEN_MIN_PX)
    // A row that unfolds changes what lies below without any scrolling.
    const resized = new ResizeObserver(measure)
    for (const row of current.children) resized.observe(row)
    current.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      resized.disconnect()
      current.removeEventListener('scroll', measure)
    }
  }, [list, count])
  return more
}

/** Rows that scroll inside 400 px; while there are more below, the last ones fade under an arrow. */
export function ScrollList({ children, ...rest }: ComponentProps<'ul'>) {
  const list = useRef<HTMLUListElement>(null)
  const more = useMoreBelow(list, Children.count(children))
  return (
    <div className="relative">
      <ul ref={list} className="max-h-[400px] divide-y divide-line overflow-y-auto overscroll-contain" {...rest}>
        {children}
      </ul>
      <div
        aria-hidden
        data-testid="more-below"
        data-shown={more}
        className={classes(
          'pointer-events-none absolute inset-x-0 bottom-0 z-2 flex h-14 items-end justify-center bg-linear-to-t from-card from-25% to-transparent pb-1.5 text-ink-soft transition-opacity',
          !more && 'opacity-0',
        )}
      >
        <ChevronDown aria-hidden size={20} strokeWidth={1.75} />
      </div>
    </div>
  )
}
