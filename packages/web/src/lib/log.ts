import { isAxiosError } from 'axios'

/** The specification has several failures that are 'only logged': they end here, and nowhere else writes to the console. */
export function logError(what: string, error: unknown): void {
  // An axios error carries the request, and with it a password or a key that must not stand in a console.
  const told = isAxiosError(error) ? error.message : error
  // biome-ignore lint/suspicious/noConsole: the browser's console is the log that the specification means
  console.error(what, told)
}
