import { GLOBAL_MESSAGE_MS } from '@siarin/contracts/limits'
import { useCallback, useEffect, useState } from 'react'
import type { Message, Say } from '../../lib/message.ts'

/** One message at a time; each has its whole time, also when it took the place of another. */
export function useMessage(): [Message | null, Say] {
  const [message, setMessage] = useState<Message | null>(null)
  const say: Say = useCallback((text, tone = 'success') => setMessage({ text, tone }), [])
  useEffect(() => {
    if (!message) return
    const timer = setTimeout(() => setMessage(null), GLOBAL_MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [message])
  return [message, say]
}
