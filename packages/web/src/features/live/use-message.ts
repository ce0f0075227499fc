import { GLOBAL_MESSAGE_MS } from '@siarin/contracts/limits'
import { type Dispatch, useCallback, useEffect } from 'react'
import type { Say } from '../../lib/message.ts'
import type { LiveEvent, LiveState } from './state.ts'

/** Answers the way to set the global message, and clears it in time. */
export function useMessage(message: LiveState['message'], dispatch: Dispatch<LiveEvent>): Say {
  useEffect(() => {
    if (!message) return
    const timer = setTimeout(() => dispatch({ type: 'message-expired', id: message.id }), GLOBAL_MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [message, dispatch])
  return useCallback((text, tone = 'success') => dispatch({ type: 'said', text, tone }), [dispatch])
}
