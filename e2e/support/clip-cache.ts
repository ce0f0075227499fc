import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type ClipOptions, clipArgs, makeClip } from '@siarin/testkit/clips'

const FOLDER = join(import.meta.dirname, '..', '.cache', 'clips')

/** The path of a clip with this file name. Each recipe is made once and kept for later runs; a name is a link to it. */
export async function cachedClip(name: string, options: ClipOptions = {}): Promise<string> {
  const recipe = createHash('sha256')
    .update(JSON.stringify(clipArgs(name, options)))
    .digest('hex')
    .slice(0, 16)
  const made = join(FOLDER, recipe, `.made${extname(name)}`)
  const file = join(FOLDER, recipe, name)
  if (!existsSync(made)) await makeClip(made, options)
  await link(made, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return file
}
