import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000
/** Timers of a page that is not seen come late. */
const LOOK_MS = 5000

const thisMinute = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS

/** The time in ms, new each full minute: a screen full of times need not be drawn each second. */
export function useMinute(): number {
  const [minute, setMinute] = useState(thisMinute)
  useEffect(() => {
    const timer = setInterval(() => setMinute(thisMinute()), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return minute
}
