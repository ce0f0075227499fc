import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What Biome, under the project's own rules, says of a file with this one import, were it at this path. */
function lint(path: string, imported: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'siarin-directions-'))
  try {
    const { vcs: _, $schema: __, ...rules } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules))
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), `import * as it from '${imported}'\n\nexport const used = it\n`)
    const run = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', '.'], { cwd: folder, encoding: 'utf8' })
    return run.status === 0 ? 'clean' : run.stdout + run.stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('the direction of imports', () => {
  it.each([
    ['packages/contracts/src/probe.ts', 'node:fs'],
    ['packages/contracts/src/probe.ts', '@siarin/media/secret'],
    ['packages/media/src/probe.ts', 'node:fs'],
    ['packages/media/src/probe.ts', 'zod'],
    ['packages/media/src/probe.ts', '@siarin/contracts/auth'],
    ['packages/web/src/lib/probe.ts', '../../../server/src/errors.ts'],
    ['packages/web/src/lib/probe.ts', '@siarin/media/secret'],
    ['packages/server/src/platform/probe.ts', '../modules/identity/index.ts'],
    ['packages/server/src/http/probe.ts', '../modules/identity/index.ts'],
    ['packages/server/src/modules/identity/probe.ts', '../library/index.ts'],
    ['packages/server/src/modules/library/probe.ts', '../broadcasts/index.ts'],
    ['packages/server/src/modules/webhooks/probe.ts', '../broadcasts/index.ts'],
    ['packages/server/src/modules/articles/probe.ts', '../library/index.ts'],
    ['packages/server/src/modules/activity/probe.ts', '../broadcasts/index.ts'],
    ['packages/server/src/modules/activity/probe.ts', '../identity/index.ts'],
    ['packages/server/src/modules/accounts/probe.ts', '../platforms/index.ts'],
    ['packages/server/src/modules/system/probe.ts', '../activity/index.ts'],
    ['packages/server/src/modules/broadcasts/probe.ts', '../../config.ts'],
  ])('%s may not import %s', (path, imported) => {
    expect(lint(path, imported)).toContain('noRestrictedImports')
  })

  it.each([
    ['packages/contracts/src/probe.ts', 'zod'],
    ['packages/media/src/probe.ts', './secret.ts'],
    ['packages/web/src/lib/probe.ts', '@siarin/contracts/auth'],
    ['packages/server/src/modules/broadcasts/probe.ts', '../library/library.service.ts'],
    ['packages/server/src/modules/identity/probe.ts', '../activity/activity.service.ts'],
    ['packages/server/src/modules/accounts/probe.ts', '../identity/caller.ts'],
  ])('%s may import %s', (path, imported) => {
    expect(lint(path, imported)).toBe('clean')
  })

  it('leaves media without any dependency', () => {
    const media = join(root, 'packages/media')
    expect(JSON.parse(readFileSync(join(media, 'package.json'), 'utf8')).dependencies).toBeUndefined()
    const sources = readdirSync(join(media, 'src'), { recursive: true, encoding: 'utf8' })
    for (const file of sources.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      const imports = readFileSync(join(media, 'src', file), 'utf8').matchAll(/\bfrom '([^']+)'/g)
      for (const [, from] of imports) expect(from, file).toMatch(/^\.\.?\//)
    }
  })
})
