export const isHls = (url: string): boolean => url.includes('.m3u8')
