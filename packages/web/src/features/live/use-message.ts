import { type Dispatch, useCallback, useEffect } from 'react'
import { messageMs, type Say } from '../../lib/message.ts'
import type { LiveEvent, LiveState } from './state.ts'

/** Answers the way to set the global message, and clears it in time. */
export function useMessage(message: LiveState['message'], dispatch: Dispatch<LiveEvent>): Say {
  useEffect(() => {
    if (!message) return
    const timer = setTimeout(() => dispatch({ type: 'message-expired', id: message.id }), messageMs(message))
    return () => clearTimeout(timer)
  }, [message, dispatch])
  return useCallback(
    (text, tone = 'success', aboutPlan = false) => dispatch({ type: 'said', text, tone, aboutPlan }),
    [dispatch],
  )
}
