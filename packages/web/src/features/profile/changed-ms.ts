/** How long it is told that something of the account was changed: two sentences to read. */
export const CHANGED_MS = 5000
