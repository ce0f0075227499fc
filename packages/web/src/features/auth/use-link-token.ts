import { useEffect, useState } from 'react'

/**
 * What stands behind the '#' of a link from a mail. It is taken out of the address at once, so that it stays in no history and is seen by
 * nobody who looks at the screen.
 */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1))
  useEffect(() => {
    if (window.location.hash) window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [])
  return token
}
