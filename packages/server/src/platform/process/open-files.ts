import { readFileSync } from 'node:fs'

/** How many files and connections this process may have open; null where the system does not say. Node raises it to the hard limit. */
export function openFilesLimit(): number | null {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
    return Number.isSafeInteger(limit) ? limit : null
  } catch {
    return null
  }
}
