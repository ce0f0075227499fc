import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const isNoRoom = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOSPC'

/** A file that is there as a whole or not at all. Where the folder has no room, it is written to the spare one. Returns its path. */
export function writeWhole(directory: string, name: string, text: string, spare: string | null): string {
  const file = join(directory, name)
  const draft = `${file}.new`
  try {
    writeFileSync(draft, text)
    renameSync(draft, file)
    return file
  } catch (error) {
    if (!isNoRoom(error) || spare === null) throw error
    rmSync(draft, { force: true })
    // An older one would be taken for this one.
    rmSync(file, { force: true })
    mkdirSync(spare, { recursive: true, mode: 0o700 })
    return writeWhole(spare, name, text, null)
  }
}
