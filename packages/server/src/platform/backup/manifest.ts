import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'

/** Relative, and never out of the folder that it is relative to. */
const InnerPath = z.string().regex(/^(?!.*(^|\/)\.\.(\/|$))[^/].*$/)

const Manifest = z.object({
  format: z.literal(1),
  /** The version of the program that made it. */
  program: z.string(),
  /** The newest migration that its database has. */
  schema: z.string(),
  database: z.object({
    kind: z.enum(['sqlite', 'postgres']),
    bytes: z.number().int(),
    sha256: z.string(),
  }),
  takenAt: z.iso.datetime(),
  /** 'listed': the files lie elsewhere, this says which. */
  videos: z.enum(['included', 'listed']),
  /** The bucket of the store that keeps the videos: none of them is in this backup. */
  bucket: z.string().optional(),
  files: z.array(z.object({ path: InnerPath, bytes: z.number().int() })),
})
export type Manifest = z.infer<typeof Manifest>

/** Written last: a folder without it is no backup. */
export const MANIFEST = 'manifest.json'
export const DATABASE_FILES = { sqlite: 'siarin.db', postgres: 'siarin.dump' } as const
export const SECRET_FILE = 'secret'
export const VIDEO_FOLDER = 'media'

export async function describeFile(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}

/** Whole, or refused: nothing is restored from half a backup. */
export async function readBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new BackupError(`${folder} is no backup: it has no ${MANIFEST}, which is written last`)
  })
  const manifest = parseManifest(text)
  if (!manifest) throw new BackupError(`the ${MANIFEST} of ${folder} cannot be read by this version`)
  const { kind, ...expected } = manifest.database
  const found = await describeFile(join(folder, DATABASE_FILES[kind])).catch(() => null)
  if (found?.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
    throw new BackupError(`${join(folder, DATABASE_FILES[kind])} is not as it was written: this backup is damaged`)
  }
  if (manifest.videos === 'included') await assertFiles(join(folder, VIDEO_FOLDER), manifest.files)
  return manifest
}

async function assertFiles(folder: string, files: Manifest['files']): Promise<void> {
  const missing = await missingFiles(folder, files)
  if (missing.length === 0) return
  throw new BackupError(
    `this backup is damaged: ${missing.length} video files are missing or cut, such as ${missing[0]}`,
  )
}

/** Those that are not there with their size. */
export async function missingFiles(folder: string, files: Manifest['files']): Promise<string[]> {
  const missing: string[] = []
  for (const { path, bytes } of files) {
    const found = await stat(join(folder, path)).catch(() => null)
    if (found?.size !== bytes) missing.push(path)
  }
  return missing
}

function parseManifest(text: string): Manifest | null {
  try {
    return Manifest.parse(JSON.parse(text))
  } catch {
    return null
  }
}
