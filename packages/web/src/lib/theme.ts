import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

export const THEME_CHOICES = ['system', 'light', 'dark'] as const
export type ThemeChoice = (typeof THEME_CHOICES)[number]

/** before-first-paint.js reads the same key before the first paint. */
const STORAGE_KEY = 'theme'

/** The build makes pages where there is no window. */
const systemDark = typeof window === 'undefined' ? null : window.matchMedia('(prefers-color-scheme: dark)')

interface Theme {
  readonly choice: ThemeChoice
  readonly dark: boolean
}

/** A prerendered page knows nobody's choice: it marks none, so that none is marked wrongly. */
const UNKNOWN = { choice: null, dark: false }

function readChoice(): ThemeChoice {
  if (typeof window === 'undefined') return 'system'
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return THEME_CHOICES.find((choice) => choice === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

function themeFor(choice: ThemeChoice): Theme {
  return { choice, dark: choice === 'dark' || (choice === 'system' && systemDark?.matches === true) }
}

const theme = createStore(themeFor(readChoice()))

function become(choice: ThemeChoice): void {
  const next = themeFor(choice)
  const root = document.documentElement
  root.classList.toggle('dark', next.dark)
  root.classList.toggle('light', !next.dark)
  // The bar of a phone's browser takes the colour of the top bar.
  const bar = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')
  if (bar) bar.content = getComputedStyle(root).getPropertyValue('--card')
  theme.set(next)
}

/** Keeps the page in step with the choice, the system, and the choice made in another tab. */
export function followTheme(): void {
  become(theme.get().choice)
  systemDark?.addEventListener('change', () => become(theme.get().choice))
  window.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY || key === null) become(readChoice())
  })
}

export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, choice)
  } catch {
    // A browser that keeps nothing still shows what was chosen until the page is closed.
  }
  become(choice)
}

export const useTheme = (): Theme | typeof UNKNOWN =>
  useSyncExternalStore<Theme | typeof UNKNOWN>(theme.listen, theme.get, () => UNKNOWN)
