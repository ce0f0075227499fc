import { type PublicSettings, SETTINGS_ELEMENT_ID } from '@siarin/contracts/settings'

let current: PublicSettings | null = null

/** The server writes the settings into index.html; only Vite's dev server serves a page without them. */
export async function loadSettings(): Promise<void> {
  const text = document.getElementById(SETTINGS_ELEMENT_ID)?.textContent
  current = text ? JSON.parse(text) : await (await fetch('/settings')).json()
}

/** For who makes pages without a document: the build. */
export const takeSettings = (taken: PublicSettings): void => {
  current = taken
}

/** Nothing is shown before `loadSettings` is done, so every component may ask. */
export function settings(): PublicSettings {
  if (!current) throw new Error('The settings were asked before they were loaded.')
  return current
}
