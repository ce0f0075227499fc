import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterEach, beforeEach, vi } from 'vitest'
import { clearSession } from '../lib/session.ts'

// A starved machine takes its time; what never comes fails all the same, in one line instead of the whole page.
configure({ asyncUtilTimeout: 20_000, getElementError: (text) => new Error(text?.split('\n\n')[0] ?? '') })

// Testing Library moves a held clock only where it meets the runner that it knows by this name.
vi.stubGlobal('jest', { advanceTimersByTime: (ms: number) => vi.advanceTimersByTime(ms) })

/** The browser's line for pushed events; the server of these tests pushes none. */
class SilentEventSource extends EventTarget {
  readonly CLOSED = 2
  readonly readyState = 0
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  close(): void {}
}
vi.stubGlobal('EventSource', SilentEventSource)

// As on https: the page may use the clipboard.
vi.stubGlobal('isSecureContext', true)

// Failures that are 'only logged' are meant in most of these tests: what was logged shows where a test fails.
beforeEach(({ onTestFailed }) => {
  const { error } = console
  const logged: unknown[][] = []
  vi.spyOn(console, 'error').mockImplementation((...words) => void logged.push(words))
  onTestFailed(() => {
    for (const words of logged) error(...words)
  })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  toast.dismiss()
  clearSession()
  localStorage.clear()
  document.head.replaceChildren()
})
