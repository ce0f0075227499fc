import { expect, it } from 'vitest'
import { syncToDisk } from './durable.ts'

it.runIf(process.platform === 'linux')(
  'a file system that cannot sync folders is no reason to refuse a file',
  async () => {
    // The kernel's own folders know no such call, and neither do their files.
    await syncToDisk('/proc')
    await expect(syncToDisk('/proc/version')).rejects.toMatchObject({ code: 'EINVAL' })
  },
)
