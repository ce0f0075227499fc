import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { BROADCAST_PARTS, biomeDirections, FEATURES, MODULES } from './lib/directions.mjs'

const root = join(import.meta.dirname, '..')

/** A file, and what it would import. */
type Import = readonly [path: string, imported: string]

const words = ([path, imported]: Import): string => `${path} imports ${imported}`

/** Those that Biome refuses under the project's own rules, were such files there. */
function refusedOf(imports: readonly Import[]): Set<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'siarin-directions-')))
  try {
    const { vcs: _, $schema: __, ...rules } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules))
    cpSync(join(root, 'biome.directions.jsonc'), join(folder, 'biome.directions.jsonc'))
    const files = Map.groupBy(imports, ([path]) => join(folder, path))
    for (const [file, lines] of files) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, lines.map(([, imported]) => `import '${imported}'\n`).join(''))
    }
    const args = ['lint', '--only=style/noRestrictedImports', '--reporter=github', '--max-diagnostics=none', '.']
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/biome'), args, { cwd: folder, encoding: 'utf8' })
    const found = [...stdout.matchAll(/noRestrictedImports,file=([^,]+),line=(\d+)/g)]
    const rows = found.map(([, file = '', line]) => files.get(file)?.[Number(line) - 1])
    return new Set(rows.filter((row) => row !== undefined).map(words))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Every pair of siblings, with whether the table lets the first know the second. */
const pairs = (table: Record<string, string[]>) =>
  Object.entries(table).flatMap(([name, known]) =>
    Object.keys(table)
      .filter((other) => other !== name)
      .map((other) => ({ name, other, knows: known.includes(other) })),
  )

const server = (rest: string): string => `packages/server/src/${rest}/probe.ts`
const web = (rest: string): string => `packages/web/src/${rest}/probe.ts`

const FORBIDDEN: readonly Import[] = [
  ['packages/contracts/src/probe.ts', 'node:fs'],
  ['packages/contracts/src/probe.ts', '@siarin/media/secret'],
  ['packages/media/src/probe.ts', 'node:fs'],
  ['packages/media/src/probe.ts', 'zod'],
  ['packages/media/src/probe.ts', '@siarin/contracts/auth'],
  [server('platform'), '../modules/identity/index.ts'],
  [server('http'), '../modules/identity/index.ts'],
  [server('modules/identity'), '../library/index.ts'],
  [server('modules/library'), '../broadcasts/index.ts'],
  [server('modules/webhooks'), '../broadcasts/index.ts'],
  [server('modules/analytics'), '../broadcasts/index.ts'],
  [server('modules/alerts'), '../broadcasts/index.ts'],
  [server('modules/articles'), '../library/index.ts'],
  [server('modules/activity'), '../broadcasts/index.ts'],
  [server('modules/activity'), '../identity/index.ts'],
  [server('modules/accounts'), '../platforms/index.ts'],
  [server('modules/system'), '../activity/index.ts'],
  [server('modules/broadcasts'), '../../config.ts'],
  [server('modules/broadcasts/store'), '../../../config.ts'],
  [server('modules/broadcasts/store'), '../../schedules/index.ts'],
  [server('modules/broadcasts/store'), '../keeper/stream-keeper.ts'],
  [server('modules/broadcasts/keeper'), '../worker/supervisor.ts'],
  [server('modules/broadcasts/spec'), '../api/streams.service.ts'],
  [server('modules/broadcasts/api'), '../worker/supervisor.ts'],
  [web('lib'), '../../../server/src/errors.ts'],
  [web('lib'), '@siarin/media/secret'],
  [web('lib'), '../components/button.tsx'],
  [web('lib'), '../features/live/state.ts'],
  [web('components'), '../features/live/state.ts'],
  [web('features/live'), '../../app/routes.tsx'],
  [web('features/live/components'), 'node:fs'],
  [web('features/live/components'), '../../profile/api/profile.ts'],
  [web('features/live/components'), '../../library/components/video-row.tsx'],
  [web('features/live'), '../library/upload/uploader.ts'],
  [web('features/library'), '../broadcasts/stream-words.ts'],
  [web('features/sources'), '../library/api/videos.ts'],
  [web('features/auth/components'), '../../profile/api/profile.ts'],
  [web('app/navigation'), '../../features/library/upload/uploader.ts'],
  [web('app/layouts'), '../../features/auth/components/auth-frame.tsx'],
]

const ALLOWED: readonly Import[] = [
  ['packages/contracts/src/probe.ts', 'zod'],
  ['packages/media/src/probe.ts', './secret.ts'],
  [server('modules/broadcasts'), '../library/library.service.ts'],
  [server('modules/broadcasts/spec'), '../../library/library.service.ts'],
  [server('modules/broadcasts/keeper'), '../store/streams.repo.ts'],
  [server('modules/identity'), '../activity/activity.service.ts'],
  [web('lib'), '@siarin/contracts/auth'],
  [web('features/live/components'), '../../library/local-tab.tsx'],
  [web('features/live/components'), '../../library/api/videos.ts'],
  [web('features/library'), './upload/uploader.ts'],
  [web('features/library/components'), '../upload/uploader.ts'],
  [web('app'), '../features/live/components/live-screen.tsx'],
  [web('app/layouts'), '../../features/auth/password-prompt.tsx'],
  ['packages/web/src/features/auth/components/probe.test.tsx', '../../profile/components/profile-screen.tsx'],
]

const serverPairs = (parent: string, table: Record<string, string[]>) =>
  pairs(table).map(({ name, other, knows }) => ({
    allowed: knows,
    row: [server(`${parent}/${name}`), `../${other}/some-file.ts`] as const,
  }))

const featurePairs = () =>
  pairs(FEATURES).flatMap(({ name, other, knows }) =>
    [`${other}/some-file.ts`, `${other}/api/calls.ts`, `${other}/components/row.tsx`].map((imported) => ({
      allowed: knows && !imported.includes('/components/'),
      row: [web(`features/${name}/components`), `../../${imported}`] as const,
    })),
  )

const CASES = {
  'between the folders that a newcomer would ask about': [
    ...FORBIDDEN.map((row) => ({ allowed: false, row })),
    ...ALLOWED.map((row) => ({ allowed: true, row })),
  ],
  'between any two modules of the server': serverPairs('modules', MODULES),
  'between any two parts of its broadcasts': serverPairs('modules/broadcasts', BROADCAST_PARTS),
  'between any two features of the page, down to their insides': featurePairs(),
}

describe('the direction of imports', () => {
  let refused = new Set<string>()
  // At once: the start of Biome takes longer than what it is asked here.
  beforeAll(() => {
    const all = Object.values(CASES).flatMap((rows) => rows.map(({ row }) => row))
    refused = refusedOf(all)
  }, 60_000)

  it('is what the table says', () => {
    const written = readFileSync(join(root, 'biome.directions.jsonc'), 'utf8')
    expect(written, 'run: node scripts/write-biome.mjs').toBe(biomeDirections())
  })

  it.each(Object.entries(CASES))('is kept by Biome %s', (_where, rows) => {
    const forbidden = rows.filter(({ allowed }) => !allowed).map(({ row }) => words(row))
    expect(forbidden.filter((row) => !refused.has(row))).toEqual([])
    const allowed = rows.filter((one) => one.allowed).map(({ row }) => words(row))
    expect(allowed.filter((row) => refused.has(row))).toEqual([])
  })

  it.each([
    ['packages/server/src/modules', MODULES],
    ['packages/server/src/modules/broadcasts', BROADCAST_PARTS],
    ['packages/web/src/features', FEATURES],
  ])('is said of every folder of %s', (parent, table) => {
    const folders = readdirSync(join(root, parent), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(Object.keys(table)).toEqual(expect.arrayContaining(folders.map(({ name }) => name)))
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
