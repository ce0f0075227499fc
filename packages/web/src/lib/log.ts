/** How axios marks its errors, told without the library: a page that never calls the server does without it. */
const isRequestError = (error: unknown): error is Error =>
  error instanceof Error && 'isAxiosError' in error && error.isAxiosError === true

/** The specification has several failures that are 'only logged': they end here, and nowhere else writes to the console. */
export function logError(what: string, error: unknown): void {
  // A request's error carries the request, and with it a password or a key that must not stand in a console.
  const told = isRequestError(error) ? error.message : error
  // biome-ignore lint/suspicious/noConsole: the browser's console is the log that the specification means
  console.error(what, told)
}
