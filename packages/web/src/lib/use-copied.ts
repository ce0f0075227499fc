import { COPIED_MS } from '@siarin/contracts/limits'
import { useEffect, useRef, useState } from 'react'
import { copyText } from './clipboard.ts'
import { logError } from './log.ts'

/** Copies a text and says for a while that it did: only as long as it is the very text that was copied. */
export function useCopied(text: string, forMs: number = COPIED_MS): [boolean, () => Promise<void>] {
  const [copiedText, setCopiedText] = useState<string | null>(null)
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])

  const copy = async (): Promise<void> => {
    try {
      await copyText(text)
    } catch (error) {
      logError('The text could not be copied', error)
      return
    }
    setCopiedText(text)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setCopiedText(null), forMs)
  }
  return [copiedText === text, copy]
}
