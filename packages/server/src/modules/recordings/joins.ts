import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { DomainError } from '../../errors.ts'
import { createSharedWork } from '../../platform/shared-work.ts'
import type { SmallSteps } from '../../platform/small-steps.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Cutter } from './cutter.ts'
import type { FileFacts } from './file-facts.ts'
import { createJoinCuts } from './join-cuts.ts'
import { createJoinFiles } from './join-files.ts'
import type { AskedPart, Joined, LikenessesOf } from './joined.ts'
import type { Lines } from './lines.ts'
import type { Make } from './make.ts'
import { asGone, gone, type Material } from './material.ts'
import type { RecordingRow } from './recordings.repo.ts'

interface JoinsDeps {
  readonly lines: Pick<Lines, 'of'>
  readonly cutter: Pick<Cutter, 'cut'>
  readonly material: Pick<Material, 'filesOf'>
  readonly facts: FileFacts
  readonly storage: Pick<Storage, 'head' | 'pin' | 'open'>
  readonly steps: SmallSteps
  readonly make: Make
}

export type Joins = ReturnType<typeof createJoins>

/** Puts a recording, or a part of it, together as one file, without a new encoding. */
export function createJoins(deps: JoinsDeps) {
  const { lines, material, facts, steps } = deps
  const likenessesOf: LikenessesOf = async (owner, keys, signal) => {
    const step = steps.of(owner)
    const found = new Map<string, string>()
    for (const key of keys) {
      if (found.has(key)) continue
      await step(signal)
      found.set(key, await facts.likenessOf(owner, key, signal))
    }
    return found
  }
  const cuts = createJoinCuts({ ...deps, likenessesOf })
  const files = createJoinFiles({ ...deps, likenessesOf })
  /** Tens of thousands of cuts are looked through: once for all who ask for the same meanwhile. */
  const shared = createSharedWork<Joined | null>()

  async function joinedOf(row: RecordingRow, part: AskedPart, signal: AbortSignal): Promise<Joined> {
    if (row.online === 1) {
      const joined = await files.of(row, material.filesOf(row, signal), part, signal)
      if (!joined) throw part.from > 0 ? outside() : gone()
      return joined
    }
    const line = await lines.of(row, signal)
    const toMs = part.to === null ? line.ms : part.to * 1000
    const between = { fromMs: part.from * 1000, toMs }
    const name = [row.id, line.ms, line.segments, between.fromMs, toMs].join(' ')
    const joined = await shared(name, (wanted) => cuts.of(row, line, between, wanted), signal)
    if (!joined) throw line.ms > 0 ? outside() : gone()
    return joined
  }

  return {
    of: (row: RecordingRow, part: AskedPart, signal: AbortSignal): Promise<Joined> =>
      joinedOf(row, part, signal).catch(asGone),
  }
}

const outside = (): DomainError => new DomainError('invalid_input', RECORDING_TEXTS.partInvalid)
