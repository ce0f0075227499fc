import type { KeepWritten } from '../platform/db/keep-written.ts'
import type { App } from './types.ts'

const ONLY_READ: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Who is told that something is done finds it so after a power cut too. */
export function keepPromises(app: App, keepWritten: KeepWritten): void {
  app.addHook('onSend', ({ method }, { statusCode }, payload, done) => {
    if (statusCode >= 400 || ONLY_READ.has(method)) return done(null, payload)
    keepWritten().then(() => done(null, payload), done)
  })
}
