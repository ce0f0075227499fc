import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openFilesLimit } from './open-files.ts'

describe.runIf(process.platform === 'linux')('the limit of open files', () => {
  it('is the hard one: Node raises its own at its start, so no script has to', () => {
    const [, soft, hard] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    expect(openFilesLimit()).toBe(Number(soft))
    expect(soft).toBe(hard)
  })
})
