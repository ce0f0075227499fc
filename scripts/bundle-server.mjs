import http from 'node:http'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './lib/shell.mjs'

/** Runs on Node 24, as a program of its own: `node bundle-server.mjs <folder>`. */
const [outDir = ''] = process.argv.slice(2)
const SERVER = join(ROOT, 'packages', 'server')

/** A module looks for files beside its source, wherever its code is now. */
const findBesideSource = {
  name: 'find-beside-source',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.dirname')) return null
    // The folder is moved when it is complete: what counts is where it will lie.
    const folder = relative(join(SERVER, 'dist'), dirname(id))
    return code.replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${folder}`)})`)
  },
}

/** @fastify/swagger loads it for documents in YAML, which nobody asks of us. */
const leaveOutYaml = {
  name: 'leave-out-yaml',
  resolveId: (id) => (id === 'yaml' ? '\0no-yaml' : null),
  load: (id) => (id === '\0no-yaml' ? { code: 'module.exports = {}', moduleType: 'js' } : null),
}

/**
 * An `import` of node:http reads each of its exports, and one of them, WebSocket, loads Node's `fetch`: thirteen megabytes that a server has
 * no use for. Asked for by call, the module gives what is read of it.
 */
const LOADS_FETCH = ['WebSocket', 'CloseEvent', 'MessageEvent']
const names = Object.keys(http).filter((name) => /^[A-Za-z_]+$/.test(name) && !LOADS_FETCH.includes(name))
const httpWithoutFetch = {
  name: 'http-without-fetch',
  resolveId: (id) => (id === 'node:http' || id === 'http' ? '\0http' : null),
  load: (id) =>
    id === '\0http'
      ? `const http = process.getBuiltinModule('node:http')\nexport default http\nexport const { ${names.join(', ')} } = http`
      : null,
}

const bundle = await rolldown({
  // A thread and a process, whose files lie beside the others as they are named: start-beat-thread.ts and spawner.ts start them from there.
  input: {
    main: join(SERVER, 'src', 'main.ts'),
    'beat-thread': join(SERVER, 'src', 'modules', 'broadcasts', 'lease', 'beat-thread.ts'),
    'spawner-main': join(SERVER, 'src', 'platform', 'process', 'spawner-main.ts'),
  },
  platform: 'node',
  // Some have machine code, or other files beside them; the rest is for the few who have such a server (optional-parts.ts), or is loaded with its first use.
  external: [
    ...['better-sqlite3', '@tus/server', '@tus/s3-store', '@aws-sdk/client-s3', 'bullmq'],
    ...['ioredis', 'nodemailer', 'pg'],
  ],
  plugins: [findBesideSource, leaveOutYaml, httpWithoutFetch],
})
/**
 * Nothing is made smaller: stack traces name functions and lines that can be read. One letter that is not of Latin-1 would make V8 keep the
 * whole text with two bytes for each letter.
 */
const ASCII = { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } }
await bundle.write({ dir: outDir, format: 'esm', comments: false, minify: ASCII })
