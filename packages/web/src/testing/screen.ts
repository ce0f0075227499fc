import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, vi } from 'vitest'

export const button = (name: string | RegExp): HTMLButtonElement => screen.getByRole('button', { name })
export const findButton = (name: string | RegExp): Promise<HTMLButtonElement> => screen.findByRole('button', { name })
export const field = (label: string | RegExp): HTMLInputElement => screen.getByLabelText(label)
export const tab = (name: string): HTMLElement => screen.getByRole('tab', { name })

/** The button of a dialog that asks something. */
export const answerButton = async (name: string): Promise<HTMLElement> =>
  within(await screen.findByRole('alertdialog')).findByRole('button', { name })

export const message = (): HTMLElement => screen.getByTestId('message')

/** Waits until the screen's message says this. It hears of each change at once, so that no message can pass unseen. */
export const untilSaid = (text: string, role: 'status' | 'alert' = 'status'): Promise<void> =>
  waitFor(() => expect(`${message().role}: ${message().textContent}`).toBe(`${role}: ${text}`))

/** What the page has logged, line by line. */
export const logged = (): string =>
  // biome-ignore lint/suspicious/noConsole: the page's own log is looked at, and nothing written
  vi.mocked(console.error).mock.calls.join('\n')

/** From here on the page's time moves only by `runFor`. */
export const holdClock = (): void => void vi.useFakeTimers()

export const runFor = (ms: number): Promise<void> => act(() => vi.advanceTimersByTimeAsync(ms).then(() => undefined))
