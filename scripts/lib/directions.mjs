/**
 * Who may import whom: the one table. `node scripts/write-biome.mjs` makes `biome.directions.jsonc` of it, and Biome keeps it.
 * A folder keeps the rules of the folders around it too.
 */

/** What a folder may not import, as patterns of the imports' own words; `except` are files that the rule leaves alone. */
const LAYERS = [
  {
    folder: 'packages/contracts/src',
    never: ['@siarin/**', '../../**', 'node:*'],
    why: 'contracts know zod and nothing else',
  },
  {
    folder: 'packages/media/src',
    except: ['**/*.test.ts'],
    never: ['node:*', '@siarin/**', '../../**', 'zod', '*'],
    why: 'media is pure: it imports nothing but itself',
  },
  {
    folder: 'packages/server/src/platform',
    never: ['**/modules/**', '**/http/**'],
    why: 'platform knows neither modules nor http',
  },
  {
    folder: 'packages/server/src/http',
    never: ['**/modules/**'],
    why: 'http knows no module: what it needs of one is handed to it',
  },
  {
    folder: 'packages/server/src/modules',
    never: ['**/main.ts', '**/app.ts', '**/config.ts'],
    why: 'a module is a function of its needs',
  },
  {
    folder: 'packages/web/src',
    never: [
      '@siarin/server',
      '@siarin/server/**',
      '@siarin/media',
      '@siarin/media/**',
      '@siarin/testkit/**',
      '**/server/src/**',
      'node:*',
    ],
    why: 'the web app knows contracts only',
  },
  {
    folder: 'packages/web/src/lib',
    never: ['**/components/**', '**/features/**', '**/app/**'],
    why: 'lib knows no component and no screen',
  },
  {
    folder: 'packages/web/src/components',
    never: ['**/features/**', '**/app/**'],
    why: 'components know no screen',
  },
  {
    folder: 'packages/web/src/features',
    never: ['**/app/**'],
    why: 'features do not know where they are shown',
  },
  {
    folder: 'packages/web/src/app',
    never: ['**/features/*/*/**', '!**/features/*/api/**', '!**/features/*/components/*-screen.tsx'],
    why: 'app shows screens; of a feature it may import besides what lies directly in its folder or in its api folder',
  },
]

/** The modules of the server, each with those that it may import. A module that gathers from others stands above them: it names them. */
export const MODULES = {
  activity: [],
  articles: [],
  system: ['identity'],
  accounts: ['activity', 'identity'],
  identity: ['activity'],
  plans: ['activity', 'identity'],
  branding: ['identity', 'plans'],
  library: ['activity', 'identity', 'plans', 'branding'],
  platforms: ['activity', 'accounts', 'identity', 'plans'],
  targets: ['activity', 'identity'],
  playlists: ['activity', 'identity', 'plans', 'library'],
  broadcasts: ['activity', 'accounts', 'identity', 'plans', 'branding', 'library', 'platforms', 'playlists', 'targets'],
  schedules: ['activity', 'accounts', 'identity', 'plans', 'library', 'platforms', 'playlists', 'broadcasts'],
  recordings: ['activity', 'identity', 'plans', 'library', 'broadcasts'],
  // They gather from the others.
  'account-removal': ['activity', 'identity', 'plans', 'library', 'platforms', 'broadcasts'],
  'activity-screen': ['activity', 'identity', 'broadcasts'],
  housekeeping: ['activity', 'identity', 'platforms', 'broadcasts', 'schedules', 'analytics', 'alerts', 'webhooks'],
  operators: ['activity', 'identity', 'plans', 'library', 'platforms', 'broadcasts'],
  // They read the outbox, and import nobody whom it tells of.
  analytics: ['activity', 'identity'],
  alerts: ['activity', 'identity'],
  webhooks: ['activity', 'identity'],
}

/** The parts of `modules/broadcasts`, each with those that it may import: there is no circle. */
export const BROADCAST_PARTS = {
  store: [],
  lease: ['store'],
  sequence: ['store'],
  sender: ['sequence', 'store'],
  relay: ['sender', 'sequence', 'store'],
  keeper: ['relay', 'sender', 'sequence', 'store'],
  spec: ['relay', 'sequence', 'store'],
  api: ['relay', 'sequence', 'spec', 'store'],
  worker: ['api', 'keeper', 'lease', 'relay', 'sender', 'sequence', 'spec', 'store'],
}

/**
 * The features of the page, each with those that it may import. A feature may import what lies directly in their folders, or in
 * their `api` folders. Every other folder is the feature's own.
 */
export const FEATURES = {
  // What screens are made of.
  standing: [],
  sources: [],
  branding: ['standing'],
  library: ['branding', 'standing'],
  player: ['library'],
  recordings: ['library', 'player', 'standing'],
  schedules: ['library', 'recordings', 'standing', 'targets'],
  broadcasts: ['branding', 'library', 'recordings', 'schedules', 'targets'],
  // Screens.
  account: ['standing'],
  analytics: ['broadcasts', 'recordings', 'standing'],
  auth: [],
  'control-room': ['broadcasts', 'library', 'schedules', 'standing'],
  dashboard: ['broadcasts', 'library', 'profile', 'schedules', 'standing'],
  documentation: [],
  fitur: ['standing'],
  landing: [],
  live: ['broadcasts', 'library', 'player', 'playlists', 'schedules', 'sources', 'standing'],
  'not-found': [],
  notifications: ['schedules', 'standing'],
  plan: ['broadcasts', 'library', 'standing'],
  profile: ['standing'],
  playlists: ['broadcasts', 'library', 'standing'],
  targets: ['standing'],
  // Shows the parts of the Live screen against a service that knows API keys only.
  'recaptcha-v3': ['broadcasts', 'library', 'live', 'player', 'sources'],
  tutorial: [],
  webhooks: ['standing'],
}

const MODULES_FOLDER = 'packages/server/src/modules'
const FEATURES_FOLDER = 'packages/web/src/features'

const mayKnow = (name, known) => `direction: ${name} may import ${known.join(', ') || 'no sibling'}`

/** A rule for each folder of a table: it may not import the siblings that its row does not name. */
const siblingRules = (parent, table, except = []) =>
  Object.entries(table).map(([name, known]) => ({
    folder: `${parent}/${name}`,
    except,
    never: Object.keys(table)
      .filter((other) => other !== name && !known.includes(other))
      .map((other) => `**/${other}/**`),
    why: mayKnow(name, known),
  }))

/** A screen's test runs the whole app, and may load the code of any screen beforehand. */
const WHOLE_APP_TESTS = ['**/*.test.tsx']

/** The inside of the features that a feature may know. */
const insideRules = () =>
  Object.entries(FEATURES).map(([name, known]) => ({
    folder: `${FEATURES_FOLDER}/${name}`,
    except: WHOLE_APP_TESTS,
    never: [...known.map((other) => `**/${other}/*/**`), ...known.map((other) => `!**/${other}/api/**`)],
    why: 'another feature is known by what lies directly in its folder or in its api folder',
  }))

const allRules = () => [
  ...LAYERS,
  ...siblingRules(MODULES_FOLDER, MODULES),
  ...siblingRules(`${MODULES_FOLDER}/broadcasts`, BROADCAST_PARTS),
  ...siblingRules(FEATURES_FOLDER, FEATURES, WHOLE_APP_TESTS),
  ...insideRules(),
]

const holdsIn = (outer, folder) => folder === outer || folder.startsWith(`${outer}/`)

const override = (folder, rules) => {
  const except = new Set(rules.flatMap((rule) => rule.except ?? []))
  const patterns = rules.map(({ never, why }) => ({ group: never, message: why }))
  return {
    includes: [`${folder}/**`, ...[...except].map((files) => `!${files}`)],
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
  }
}

/** The last override that fits a file is the one that counts: inner folders come later, and repeat what counts around them. */
function overrides() {
  const rules = allRules().filter(({ never }) => never.length > 0)
  const folders = [...new Set(rules.map(({ folder }) => folder))].sort()
  return folders.map((folder) =>
    override(
      folder,
      rules.filter((rule) => holdsIn(rule.folder, folder)),
    ),
  )
}

const NOTE = '// Written by scripts/write-biome.mjs from scripts/lib/directions.mjs: change it there.'

/** What `biome.directions.jsonc` says: a line for each folder. */
export function biomeDirections() {
  const lines = overrides().map((entry) => `    ${JSON.stringify(entry)}`)
  return `${NOTE}\n{\n  "overrides": [\n${lines.join(',\n')}\n  ]\n}\n`
}
