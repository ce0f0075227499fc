export const isOnline = (source: string): boolean => /^https?:\/\//i.test(source)

export const isHls = (url: string): boolean => url.includes('.m3u8')

/** Where an address leads, without the rest of it: that may be long, and may hold a secret. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? address
