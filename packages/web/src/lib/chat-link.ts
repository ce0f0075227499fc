import { settings } from './settings.ts'

/** Opens a chat with the text already written. Without a number WhatsApp lets the person choose whom to send it to. */
export const chatLink = (text: string): string =>
  `https://wa.me/${settings().whatsappNumber}?text=${encodeURIComponent(text)}`
