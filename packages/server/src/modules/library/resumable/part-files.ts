import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { processBirth } from '../../../platform/process/detached.ts'

/** Names one run of a program: a run that was killed leaves its parts, and the next one finds whose they are. */
const RUN = /^(\d+)~/
const nameOf = (pid: number): string => `${pid}~${processBirth(pid)?.replaceAll('/', '~')}`

/** Where parts of uploads lie until they are sent to the store. No other machine sees this folder. */
export function createPartFiles(directory: string) {
  const root = join(directory, 'parts')
  const own = join(root, nameOf(process.pid))

  return {
    make: async (): Promise<void> => void (await mkdir(own, { recursive: true, mode: 0o700 })),
    fileOf: (name: string): string => join(own, name),
    /**
     * @tus/s3-store asks for the folder of temporary files, which others use too and nobody sweeps, and has no setting for it. It asks
     * before it waits for anything: nobody else sees the other answer.
     */
    asTemporary<T>(begin: () => Promise<T>): Promise<T> {
      const { TMPDIR: before } = process.env
      process.env['TMPDIR'] = own
      try {
        return begin()
      } finally {
        if (before === undefined) delete process.env['TMPDIR']
        else process.env['TMPDIR'] = before
      }
    },
    /** Those of programs that have ended. */
    async clearLeft(): Promise<void> {
      for (const name of await readdir(root).catch(() => [])) {
        const [, pid] = RUN.exec(name) ?? []
        if (pid && name !== nameOf(Number(pid))) await rm(join(root, name), { recursive: true, force: true })
      }
    },
  }
}
