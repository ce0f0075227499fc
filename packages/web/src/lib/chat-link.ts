import { settings } from './settings.ts'

/** A chat with the administrator that begins with this text; without a number the app asks to whom it should go. */
export const chatLink = (text: string): string =>
  `https://wa.me/${settings().whatsappNumber}?text=${encodeURIComponent(text)}`
