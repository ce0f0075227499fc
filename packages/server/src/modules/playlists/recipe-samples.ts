import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseRecipe } from '@siarin/contracts/recipes'
import { sampleArgs } from '@siarin/media/argv/prepare'
import { createFairTurns } from '../../platform/fair-turns.ts'
import { encoderMemoryBytes } from '../../platform/process/limited-tool.ts'
import { runBounded } from '../../platform/process/run-bounded.ts'
import type { Likeness } from './judge-fits.ts'
import { likenessOf } from './likenesses.ts'

const ENCODE = { timeoutMs: 30_000, maxBytes: 100_000, priority: 'low' } as const
const MOST_KNOWN = 1_000
/** An encoder takes memory that broadcasts need: one at a time, the owners in turn, however many lists are looked at. */
const LINE = { atOnce: 1, mostWaiting: 1_000, mostWaitingEach: 20 }

export type RecipeSamples = ReturnType<typeof createRecipeSamples>

/** What our encoder makes of a recipe: videos that are like that already need not be re-encoded. Each is found out once. */
export function createRecipeSamples({ ffmpegPath, ffprobePath }: { ffmpegPath: string; ffprobePath: string }) {
  const known = new Map<string, string>()
  /** By owner and recipe: nobody waits for the turn of somebody else. */
  const underWay = new Map<string, Promise<Likeness>>()
  const inTurn = createFairTurns(LINE)

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

  /** Somebody else may have found it out meanwhile. A failure is not kept. */
  async function findOut(text: string): Promise<Likeness> {
    const likeness = known.get(text) ?? (await sample(text))
    if (likeness === null || known.has(text)) return likeness
    known.set(text, likeness)
    const [oldest] = known.keys()
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    return likeness
  }

  function find(owner: string, text: string): Likeness | Promise<Likeness> {
    const place = `${owner} ${text}`
    const found = known.get(text) ?? underWay.get(place)
    if (found) return found
    const begun = inTurn(owner, () => findOut(text))
      .catch(() => null)
      .finally(() => underWay.delete(place))
    underWay.set(place, begun)
    return begun
  }

  return {
    /** By recipe; what is not known in time is left out. */
    async of(owner: string, recipes: readonly string[], patienceMs: number): Promise<ReadonlyMap<string, string>> {
      const late = sleep(patienceMs, null, { ref: false })
      const found = await Promise.all(recipes.map((text) => Promise.race([find(owner, text), late])))
      return new Map(recipes.flatMap((text, index) => (found[index] ? [[text, found[index]] as const] : [])))
    },
  }
}
