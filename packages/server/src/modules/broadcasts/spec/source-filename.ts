import { parseAddress } from '@siarin/contracts/parse-address'
import { videoPath } from '@siarin/contracts/videos'

const VIDEO_PREFIX = videoPath('')

/**
 * The video that a broadcast's `source` names: its file name, or the address under which it plays
 * (with or without our origin, its key ignored). Null: not one of the user's own videos.
 */
export function sourceFilename(source: string): string | null {
  if (source.startsWith(VIDEO_PREFIX)) return fromPath(source.replace(/[?#].*$/s, ''))
  const url = /^https?:\/\//i.test(source) ? parseAddress(source) : null
  if (url) return url.pathname.startsWith(VIDEO_PREFIX) ? fromPath(url.pathname) : null
  return source.includes('://') ? null : source
}

function fromPath(path: string): string | null {
  try {
    return decodeURIComponent(path.slice(VIDEO_PREFIX.length)) || null
  } catch {
    return null
  }
}
