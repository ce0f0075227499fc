import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { dropIndex } from './playlist-edits.ts'

interface Drag {
  readonly itemId: string
  readonly from: number
  readonly to: number
}

/** So near the window's edge, the page scrolls under the dragged row. */
const EDGE_PX = 96
const SCROLL_STEP_PX = 10

const middlesOf = (list: HTMLElement): number[] =>
  [...list.children].map((row) => {
    const { top, height } = row.getBoundingClientRect()
    return top + height / 2
  })

/** Rows that are moved by a handle, with a mouse, a pen or a finger. Buttons do the same for everyone else. */
export function useDragOrder(list: RefObject<HTMLElement | null>, onDrop: (itemId: string, index: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const pointerY = useRef(0)
  const dragging = drag !== null

  useEffect(() => {
    if (!dragging) return
    let frame = 0
    const scroll = (): void => {
      if (pointerY.current < EDGE_PX) window.scrollBy(0, -SCROLL_STEP_PX)
      else if (pointerY.current > window.innerHeight - EDGE_PX) window.scrollBy(0, SCROLL_STEP_PX)
      frame = requestAnimationFrame(scroll)
    }
    frame = requestAnimationFrame(scroll)
    return () => cancelAnimationFrame(frame)
  }, [dragging])

  const placeAt = (y: number, from: number): number =>
    list.current ? dropIndex(middlesOf(list.current), from, y) : from

  const handle = (itemId: string, index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      pointerY.current = event.clientY
      setDrag({ itemId, from: index, to: index })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag?.itemId !== itemId) return
      pointerY.current = event.clientY
      setDrag({ ...drag, to: placeAt(event.clientY, drag.from) })
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (drag?.itemId !== itemId) return
      const to = placeAt(event.clientY, drag.from)
      setDrag(null)
      if (to !== drag.from) onDrop(itemId, to)
    },
    onPointerCancel: () => setDrag(null),
  })
  return { drag, handle }
}
