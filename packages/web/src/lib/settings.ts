import { PublicSettings, SETTINGS_ELEMENT_ID } from '@siarin/contracts/settings'
import axios from 'axios'

let current: PublicSettings | null = null

function injectedSettings(): unknown {
  const text = document.getElementById(SETTINGS_ELEMENT_ID)?.textContent
  return text ? JSON.parse(text) : null
}

/** The server writes the settings into index.html; only Vite's dev server serves a page without them. */
export async function loadSettings(): Promise<void> {
  const given = injectedSettings() ?? (await axios.get<unknown>('/settings')).data
  current = PublicSettings.parse(given)
}

/** Nothing is shown before `loadSettings` is done, so every component may ask. */
export function settings(): PublicSettings {
  if (!current) throw new Error('The settings were asked before they were loaded.')
  return current
}
