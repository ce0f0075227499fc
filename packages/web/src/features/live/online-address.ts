export const isOnline = (source: string): boolean => /^https?:\/\//i.test(source)

/** Where an address leads, without the rest of it: that may be long, and may hold a secret. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? address
