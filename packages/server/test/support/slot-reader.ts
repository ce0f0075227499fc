import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Reads slots as ffmpeg does: one after the other, each as it is when it comes to it. */
export function createSlotReader(directory: string) {
  let slot: 0 | 1 = 1
  let open: string[] = []
  return {
    isOpen: (paths: readonly string[]): string | null => paths.find((path) => open.includes(path)) ?? null,
    /** Returns what it plays now, or null if it found nothing and ended. */
    goOn(): string | null {
      slot = slot === 0 ? 1 : 0
      try {
        const file = realpathSync(join(directory, `${slot}.mp4`))
        const [, behind] = /^file '(.*)'$/m.exec(readFileSync(file, 'utf8')) ?? []
        open = behind ? [file, behind] : [file]
        return (behind ?? file).slice(-1)
      } catch {
        open = []
        return null
      }
    },
  }
}
