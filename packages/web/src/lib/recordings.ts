/**
 * Whether recordings exist. The API knows their alert and their event already; a screen that offered them would promise what never comes. To
 * be true, and then removed, with the first version that records.
 */
const HAS_RECORDINGS = false

/** Of an alert or an event, by its name. */
export const isOffered = (name: string): boolean => HAS_RECORDINGS || !name.startsWith('recording.')
