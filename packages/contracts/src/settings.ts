import { z } from 'zod'

/** What the page must know before it shows anything. The server puts it into index.html and answers it at GET /settings. */
export const PublicSettings = z.object({
  brand: z.string(),
  /** Digits with the country code, for wa.me links; empty: no chat contact is set up. */
  whatsappNumber: z.string(),
  trialDays: z.number().int(),
  /** The base address that a user's `server` must equal; see LIVE-20. */
  server: z.string(),
})
export type PublicSettings = z.infer<typeof PublicSettings>

/** The id of the JSON block in index.html. */
export const SETTINGS_ELEMENT_ID = 'siarin-settings'
