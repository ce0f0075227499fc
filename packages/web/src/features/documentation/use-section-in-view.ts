import { useEffect, useState } from 'react'

/** A heading counts as read once it has come this far up, past the header. */
const LINE_PX = 140

/** The id of the section that is being read: the last one whose heading is above the line. */
export function useSectionInView(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  const key = ids.join(' ')

  useEffect(() => {
    const headings = key.split(' ').flatMap((id) => document.getElementById(id) ?? [])
    let frame = 0
    const update = (): void => {
      frame = 0
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top < LINE_PX)
      const reading = isAtEnd && window.scrollY > 0 ? headings.at(-1) : (passed.at(-1) ?? headings[0])
      setCurrent(reading?.id ?? null)
    }
    const lookSoon = (): void => {
      frame ||= requestAnimationFrame(update)
    }
    update()
    window.addEventListener('scroll', lookSoon, { passive: true })
    window.addEventListener('resize', lookSoon)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', lookSoon)
      window.removeEventListener('resize', lookSoon)
    }
  }, [key])
  return current
}
