import { COPIED_MS } from '@siarin/contracts/limits'
import { useEffect, useRef, useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { logError } from '../../lib/log.ts'

/** Copies a text and says for a while that it did. */
export function useCopied(): [boolean, (text: string) => Promise<void>] {
  const [copied, setCopied] = useState(false)
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])

  const copy = async (text: string): Promise<void> => {
    try {
      await copyText(text)
    } catch (error) {
      logError('The text could not be copied', error)
      return
    }
    setCopied(true)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setCopied(false), COPIED_MS)
  }
  return [copied, copy]
}
