import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'

/** Each test that uses it prints it: with the same one the same happens again. */
export const seed = Number(process.env['SIARIN_SEED'] ?? Date.now() % 1_000_000)
let drawn = seed

/** From 0 to 1, the same for the same seed. */
export const random = (): number => {
  drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0
  return drawn / 2 ** 32
}

/** Bounds that only a machine that stands still reaches. */
export const PATIENT = { timeoutMs: 120_000 }

/** How the program's clock is moved: `moved-clock.mjs` as somebody sets it, `passing-time.mjs` as time passes. */
type Preload = 'moved-clock.mjs' | 'passing-time.mjs'

/** The whole program with a clock of the test's own, which goes on from where it is set. */
export async function startMovedProgram(name: string, preload: Preload, startMs: number) {
  const folder = await tempDir(name)
  const clockFile = join(folder.path, 'clock')
  let aheadMs = 0
  let passedMs = 0

  async function write(): Promise<void> {
    const words = preload === 'moved-clock.mjs' ? `${aheadMs} ${passedMs}` : String(aheadMs)
    await writeFile(`${clockFile}.new`, words)
    await rename(`${clockFile}.new`, clockFile)
  }
  async function setClock(toMs: number): Promise<void> {
    aheadMs = Math.round(toMs) - Date.now()
    await write()
  }

  await setClock(startMs)
  const flags = ['--import', join(import.meta.dirname, preload)]
  const siarin = await startSiarin({ env: { TEST_CLOCK_FILE: clockFile }, flags })
  return {
    siarin,
    /** For the test's own files. */
    folder: folder.path,
    setClock,
    /** Time passes, on a clock that is otherwise only set. */
    async pass(ms: number): Promise<void> {
      aheadMs += ms
      passedMs += ms
      await write()
    },
    now: (): number => Date.now() + aheadMs,
    async dispose() {
      await siarin.dispose()
      await folder.remove()
    },
  }
}
