import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const MAX_LINES = 300
const SOURCE = /\.(ts|tsx|mjs|js|css)$/
/** What tools write beside the sources. */
const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', 'dist', 'data', 'coverage', 'test-results', '.cache'])

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : sourcesIn(path)
    return SOURCE.test(entry.name) ? [path] : []
  })
}

const linesOf = (path: string): number => readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1

describe('the sources and tests', () => {
  const sources = ['bench', 'e2e', 'packages', 'scripts'].flatMap(sourcesIn)

  it('are all found', () => {
    expect(sources).toContain('scripts/sizes.test.ts')
    expect(sources).toContain('packages/server/src/program.ts')
    expect(sources).toContain('packages/web/src/features/live/components/live-screen.tsx')
  })

  it(`have at most ${MAX_LINES} lines each`, () => {
    const long = sources.map((path) => ({ path, lines: linesOf(path) })).filter(({ lines }) => lines > MAX_LINES)
    expect(long).toEqual([])
  })
})
