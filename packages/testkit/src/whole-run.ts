/**
 * `npm test` is for every change and has twelve minutes: one proof of each thing. `npm run test:all` has them all: also files named
 * `.long.test.ts`, browser tests marked `@long`, each journey at both sizes, and what asks for this.
 */
export const isWholeRun = process.env['SIARIN_ALL'] === 'true'
