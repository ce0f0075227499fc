import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logoBox, lowerThirdPlace, type Size } from '@siarin/contracts/branding-places'
import type { Recipe } from '@siarin/contracts/recipes'
import { drawArgs } from '@siarin/media/argv/logo'
import { lowerThirdSvg } from '@siarin/media/lower-third'
import type { BrandPlan, PictureOverlay } from '@siarin/media/prepare-plan'
import type { Log } from '../../../platform/log.ts'
import { type Storage, storedFile, withPinned } from '../../../platform/storage/storage.ts'
import type { BrandLooks, FrozenLook } from '../../branding/brand-looks.ts'
import { unusable } from '../video-refused.ts'
import { fittingFontSize } from './fit-line.ts'
import { runPreparation } from './run-preparation.ts'

export interface BrandDeps {
  looks: Pick<BrandLooks, 'of'>
  storage: Storage
  ffmpegPath: string
  log: Log
}

export interface PreparedBrand {
  /** Null: nothing stands on the picture. */
  readonly plan: BrandPlan | null
  /** The files of the plan's overlays, in their order. */
  readonly files: readonly string[]
}

interface BrandOrder {
  readonly userId: string
  readonly recipe: Recipe
  /** Where files of its own go. */
  readonly folder: string
  readonly signal: AbortSignal
}

const DRAW_MS = 20_000

interface Overlay {
  readonly at: PictureOverlay
  readonly file: string
}

/** What a recipe's look puts on the picture, with its files on this machine for as long as `use` takes. */
export function createBrandPreparation({ looks, storage, ffmpegPath, log }: BrandDeps) {
  async function drawLine(frozen: FrozenLook, picture: Size, { folder, signal }: BrandOrder): Promise<Overlay[]> {
    const { lowerThird } = frozen.look
    if (!lowerThird || !frozen.line) return []
    const { text, colours } = frozen.line
    const { band, fontSize, gap } = lowerThirdPlace(lowerThird, picture, text)
    const [input, output] = [join(folder, 'line.svg'), join(folder, 'line.png')]
    const wanted = { size: band, fontSize, gap, align: lowerThird.align, opacity: lowerThird.opacity / 100, colours }
    const look = { ...wanted, fontSize: await fittingFontSize(text, wanted, { ffmpegPath, file: input, signal }) }
    await writeFile(input, lowerThirdSvg(text, look), { mode: 0o600 })
    const run = await runPreparation(ffmpegPath, drawArgs({ input, output }, band), { signal, timeoutMs: DRAW_MS })
    if (!run.ok) {
      log.error({ lines: run.lastLines }, 'a line of text could not be drawn')
      throw unusable('prepare-failed')
    }
    return [{ at: { ...band, opacity: 1 }, file: output }]
  }

  /** The logo stands above the band. */
  async function placed(frozen: FrozenLook, order: BrandOrder, logoFile: string | null): Promise<PreparedBrand> {
    const { look, logo } = frozen
    const overlays = await drawLine(frozen, order.recipe, order)
    if (look.logo && logo && logoFile !== null) {
      overlays.push({
        at: { ...logoBox(look.logo, order.recipe, logo), opacity: look.logo.opacity / 100 },
        file: logoFile,
      })
    }
    return {
      plan: { fill: fillOf(look), overlays: overlays.map(({ at }) => at) },
      files: overlays.map(({ file }) => file),
    }
  }

  return async <T>(order: BrandOrder, use: (brand: PreparedBrand) => Promise<T>): Promise<T> => {
    const { userId, recipe } = order
    if (recipe.look === undefined) return use({ plan: null, files: [] })
    const frozen = (await looks.of(userId, [recipe.look])).get(recipe.look)
    if (!frozen) throw unusable('prepare-failed')
    if (!frozen.logo) return use(await placed(frozen, order, null))
    return withPinned(storedFile(storage, frozen.logo.key), async (path) => use(await placed(frozen, order, path)))
  }
}

function fillOf({ frame }: FrozenLook['look']): BrandPlan['fill'] {
  if (!frame) return null
  if (frame.fit === 'crop') return { kind: 'crop', focus: frame.focus / 100 }
  return frame.fit === 'bars' ? { kind: 'bars', colour: frame.colour } : { kind: 'blur' }
}
