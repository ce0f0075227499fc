import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BootError } from '../errors.ts'

/** Makes the data folder and says in one line when it cannot be used. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(join(dataDir, 'media'), { recursive: true })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new BootError([`DATA_DIR ${dataDir} cannot be written to (${code})`])
  }
}
