import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** They read our own settings, and addresses that we have sealed. */
const OWN: ReadonlySet<string> = new Set([
  'packages/contracts/src/parse-address.ts',
  'packages/server/src/config.ts',
  'packages/server/src/modules/platforms/preview-tickets.ts',
  'packages/server/src/platform/db/database.ts',
])

it('[SAFE-01] an address that somebody else wrote is parsed by parseAddress, which measures it first', () => {
  const sources = globSync('packages/{contracts,media,server}/src/**/*.ts', { cwd: ROOT })
  expect(sources).toContain('packages/contracts/src/parse-address.ts')
  const direct = sources
    .filter((path) => !path.endsWith('.test.ts') && !OWN.has(path))
    .filter((path) => /\bURL\.(?:canP|p)arse\(|\.(?:url|httpUrl)\(/.test(readFileSync(join(ROOT, path), 'utf8')))
  expect(direct).toEqual([])
})
