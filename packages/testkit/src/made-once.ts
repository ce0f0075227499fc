import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '..', '.cache', 'clips')

export interface Made {
  /** The folder of this recipe, kept for later runs. */
  readonly folder: string
  /** Never to be changed. */
  readonly file: string
}

/** A file that a recipe always makes alike: it is made once on this machine. `extension` has its dot. */
export async function madeOnce(
  recipe: readonly string[],
  extension: string,
  make: (file: string) => Promise<unknown>,
): Promise<Made> {
  const mark = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 16)
  const folder = join(CACHE, mark)
  const file = join(folder, `.made${extension}`)
  if (existsSync(file)) return { folder, file }
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `.${randomUUID()}${extension}`)
  try {
    await make(unfinished)
    await linkOnce(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
  return { folder, file }
}

/** Linked into place, so that two workers may want the same file and none reads half of one. */
export async function linkOnce(file: string, place: string): Promise<void> {
  await link(file, place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
