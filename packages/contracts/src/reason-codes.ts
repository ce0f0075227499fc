/**
 * Rows keep codes, in kebab-case, and sentences are made where they are shown. A row may still hold a sentence that an older version wrote
 * and that nobody has mapped: it has spaces, and is shown as it is.
 */
export const isReasonCode = (stored: string): boolean => /^[a-z0-9-]+$/.test(stored)
