import { setTimeout as sleep } from 'node:timers/promises'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogoMaker } from './make-logo.ts'

const svg = (body: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600">${body}</svg>`)
const HONEST = svg('<rect width="600" height="600" fill="red"/>')
/** It is allowed, and takes all the time that there is. */
const SLOW = svg(
  `<filter id="f">${'<feTurbulence baseFrequency="0.05" numOctaves="9"/>'.repeat(60)}</filter>${'<rect width="600" height="600" filter="url(#f)"/>'.repeat(50)}`,
)
const LOGO_MS = 2_000

let folder: TempDir
beforeAll(async () => {
  folder = await tempDir('logos')
})
afterAll(() => folder.remove())

it('[SAFE-07] logos that take long hold up nobody else, however many somebody sends', { timeout: 60_000 }, async () => {
  const withLogo = createLogoMaker({
    ...{ ffmpegPath: process.env['FFMPEG_PATH'] || 'ffmpeg', log: pino({ level: 'silent' }), workDir: folder.path },
    timings: { mediaTools: { logoMs: LOGO_MS } } as never,
  })
  let slowDone = 0
  const slow = Array.from({ length: 3 }, () =>
    withLogo({ owner: 'many', sent: SLOW, isSvg: true }, async () => {}).catch(() => void slowDone++),
  )
  // All of them are under way or wait.
  await sleep(500)
  const made = await withLogo({ owner: 'one', sent: HONEST, isSvg: true }, async ({ width }) => width)
  expect(made).toBeGreaterThan(0)
  expect(slowDone).toBe(0)
  await Promise.all(slow)
  expect(slowDone).toBe(3)
})
