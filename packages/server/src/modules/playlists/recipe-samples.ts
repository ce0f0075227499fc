import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseRecipe } from '@siarin/contracts/recipes'
import { sampleArgs } from '@siarin/media/argv/prepare'
import { encoderMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import { createTurns } from '../../platform/turns.ts'
import type { Likeness } from './judge-fits.ts'
import { likenessOf } from './likenesses.ts'

const ENCODE = { timeoutMs: 30_000, maxBytes: 100_000, priority: 'low' } as const
const MOST_KNOWN = 1_000

export type RecipeSamples = ReturnType<typeof createRecipeSamples>

/** What our encoder makes of a recipe: videos that are like that already need not be made anew. Each is found out once. */
export function createRecipeSamples({ ffmpegPath, ffprobePath }: { ffmpegPath: string; ffprobePath: string }) {
  const known = new Map<string, Promise<Likeness>>()
  /** An encoder takes memory that broadcasts need: one at a time, however many lists are looked at. */
  const inTurn = createTurns(1)

  async function sample(text: string): Promise<Likeness> {
    const recipe = parseRecipe(text)
    if (!recipe) return null
    const folder = await mkdtemp(join(tmpdir(), 'siarin-sample-'))
    try {
      const output = join(folder, 'sample.mp4')
      const options = { ...ENCODE, memoryBytes: encoderMemoryBytes() }
      const { code } = await runBounded(ffmpegPath, sampleArgs(recipe, output), options)
      return code === 0 ? (await likenessOf(ffprobePath, output)) || null : null
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  function find(text: string): Promise<Likeness> {
    const found = known.get(text)
    if (found) return found
    const made = inTurn(() => sample(text)).catch(() => null)
    known.set(text, made)
    const [oldest] = known.keys()
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    // A failure is not kept.
    void made.then((likeness) => {
      if (likeness === null && known.get(text) === made) known.delete(text)
    })
    return made
  }

  return {
    /** By recipe; what is not known in time is left out. */
    async of(recipes: readonly string[], patienceMs: number): Promise<ReadonlyMap<string, string>> {
      const late = sleep(patienceMs, null, { ref: false })
      const found = await Promise.all(recipes.map((text) => Promise.race([find(text), late])))
      return new Map(recipes.flatMap((text, index) => (found[index] ? [[text, found[index]] as const] : [])))
    },
  }
}
