/**
 * What the page must know before it shows anything. The server puts it into index.html and answers it at GET /settings. A type without a
 * schema: one program gives and takes it, and the landing page does without zod.
 */
export interface PublicSettings {
  brand: string
  /** Digits with the country code, for wa.me links; empty: no chat contact is set up. */
  whatsappNumber: string
  trialDays: number
  /** The base address that a user's `server` must equal; see LIVE-20. */
  server: string
  /** Whether the server sends e-mail: verification, and links to a new password. */
  sendsMail: boolean
  /** The API-key service of the Recaptcha V3 screen; empty: this server. */
  videoServiceUrl: string
  /** The year of the copyright line. It comes from the server, so that its HTML and the page's own code say the same. */
  year: number
}

/** The id of the JSON block in index.html. */
export const SETTINGS_ELEMENT_ID = 'siarin-settings'
