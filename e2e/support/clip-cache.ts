import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ClipOptions, clipArgs, makeClip } from '@siarin/testkit/clips'

const FOLDER = join(import.meta.dirname, '..', '.cache', 'clips')

/** The path of a clip with this file name, made once and kept for later runs; another recipe is another file. */
export async function cachedClip(name: string, options: ClipOptions = {}): Promise<string> {
  const recipe = createHash('sha256')
    .update(JSON.stringify(clipArgs(name, options)))
    .digest('hex')
    .slice(0, 16)
  const file = join(FOLDER, recipe, name)
  if (!existsSync(file)) await makeClip(file, options)
  return file
}
