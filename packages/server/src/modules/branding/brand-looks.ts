import { hash } from 'node:crypto'
import { BrandColours, DEFAULT_COLOURS, Look, levelOf } from '@siarin/contracts/branding'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PlansService } from '../plans/index.ts'
import type { BrandRepo, KitRow } from './brand.repo.ts'

/** All that a look is made of, as it was when it was ordered. */
const FrozenLook = z.object({
  look: Look,
  /** Null: it has no line of text. */
  line: z.object({ text: z.string(), colours: BrandColours }).nullable(),
  logo: z.object({ key: z.string(), width: z.number(), height: z.number() }).nullable(),
})
export type FrozenLook = z.infer<typeof FrozenLook>

interface BrandLooksDeps {
  repo: Pick<BrandRepo, 'kitOf' | 'keepLook' | 'looksOf'>
  plans: Pick<PlansService, 'assertBranding'>
  clock: Clock
  /** Clears away what nothing names, but for the youngest ones. */
  clearBut: (userId: string, spared: number) => Promise<void>
}

export type BrandLooks = ReturnType<typeof createBrandLooks>

const ID_LENGTH = 12
/**
 * Somebody may order without end and take each order back. So from the first number on, a clearing at each hundredth new look leaves at most
 * the second number of those that nothing names, and a look that is wanted now is among them.
 */
const UNUSED = { mostBefore: 300, each: 100, spared: 100 }

export const coloursOf = (kit: Pick<KitRow, 'colours'> | null): BrandColours =>
  BrandColours.safeParse(JSON.parse(kit?.colours ?? 'null')).data ?? DEFAULT_COLOURS

/** What recipes name: a brand as it stands on a picture. */
export function createBrandLooks({ repo, plans, clock, clearBut }: BrandLooksDeps) {
  async function of(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, FrozenLook>> {
    const rows = ids.length === 0 ? [] : await repo.looksOf(userId, ids)
    return new Map(
      rows.flatMap(({ id, look }) => {
        const { data } = FrozenLook.safeParse(JSON.parse(look))
        return data ? [[id, data] as const] : []
      }),
    )
  }

  return {
    of,
    /** Refuses as `freeze` does, and keeps nothing: the order that would name it may be refused. Returns the id that it would have now. */
    async idOf(userId: string, look: Look): Promise<string> {
      await plans.assertBranding(userId, levelOf(look))
      return frozen(userId, look, await repo.kitOf(userId)).id
    },
    /** The kit as it is now, placed so. Refuses what the plan does not allow, or what the kit does not have. */
    async freeze(userId: string, look: Look): Promise<string> {
      await plans.assertBranding(userId, levelOf(look))
      const { id, added } = await repo.keepLook(userId, (kit) => frozen(userId, look, kit), clock.now())
      const { mostBefore, each, spared } = UNUSED
      if (added !== null && added >= mostBefore && added % each === 0) await clearBut(userId, spared)
      return id
    },
    /** For what was made, or is to be made again, under the plan of now. */
    async assertAllowed(userId: string, id: string): Promise<void> {
      const known = (await of(userId, [id])).get(id)
      if (!known) throw new DomainError('invalid_input', BRANDING_TEXTS.lookUnknown)
      await plans.assertBranding(userId, levelOf(known.look))
    },
  }
}

/** The id follows from all that can be seen: ordered twice, it is made once. */
function frozen(userId: string, look: Look, kit: KitRow | null) {
  const { logo_key: key, logo_width: width, logo_height: height } = kit ?? {}
  const logo = look.logo && key && width && height ? { key, width, height } : null
  if (look.logo && !logo) throw new DomainError('invalid_input', BRANDING_TEXTS.noLogo)
  const line = look.lowerThird && kit?.text ? { text: kit.text, colours: coloursOf(kit) } : null
  if (look.lowerThird && !line) throw new DomainError('invalid_input', BRANDING_TEXTS.noText)
  const seen = JSON.stringify([userId, look, line, logo && kit?.logo_hash])
  const whole: FrozenLook = { look, line, logo }
  return {
    id: hash('sha256', seen, 'hex').slice(0, ID_LENGTH),
    look: JSON.stringify(whole),
    logo_key: logo?.key ?? null,
  }
}
