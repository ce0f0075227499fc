import { createHmac, randomBytes } from 'node:crypto'
import { SECOND_FACTOR_TEXTS } from '@siarin/contracts/auth-texts'
import type { SecondFactorStatus } from '@siarin/contracts/second-factor'
import { Secret } from '@siarin/media/secret'
import { DomainError } from '../../errors.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { SessionCaller } from './caller.ts'
import type { IdentityRepo } from './identity.repo.ts'
import type { Recovery } from './recovery.service.ts'
import type { SecondFactorRepo } from './second-factor.repo.ts'
import { matchingStep, newTotpSecret, toBase32, totpUri } from './totp.ts'

interface SecondFactorDeps {
  repo: SecondFactorRepo
  users: Pick<IdentityRepo, 'userById'>
  sealer: Sealer
  clock: Clock
  activity: Pick<ActivityService, 'record'>
  recovery: Pick<Recovery, 'tellSecondFactor'>
  brand: string
}

export type SecondFactor = ReturnType<typeof createSecondFactor>

const RECOVERY_CODES = 10
const RECOVERY_BYTES = 7

/** As it is shown: two groups that are easy to copy by hand. */
function newRecoveryCode(): string {
  const letters = toBase32(randomBytes(RECOVERY_BYTES)).slice(0, 10).toLowerCase()
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** As it is compared: however it was typed. */
const plain = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '')

/** Under the app's own secret: it is sealed, and stays the same when APP_SECRET is changed. */
const markOf = (secret: Secret, code: string): string =>
  createHmac('sha256', secret.reveal())
    .update(`recovery:${plain(code)}`)
    .digest('base64url')

function newCodes(secret: Secret): { codes: string[]; codeMarks: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  return { codes, codeMarks: codes.map((each) => markOf(secret, each)) }
}

/** A user who has no second factor is asked for nothing. */
function createCodeCheck({ repo, sealer, clock, activity }: SecondFactorDeps) {
  /** Each code counts once, for the first who brings it. */
  async function takes(userId: string, secretSealed: string, code: string): Promise<boolean> {
    const secret = sealer.open(secretSealed)
    const step = matchingStep(secret.reveal(), plain(code), clock.now())
    if (step !== null) return repo.useStep(userId, step)
    if (!(await repo.useRecoveryCode(userId, markOf(secret, code), clock.now()))) return false
    await activity.record({ userId, kind: 'recovery-code-used', visitor: null })
    return true
  }

  return async function assertCode(userId: string, code: string | undefined, visitor: Visitor): Promise<void> {
    const factor = await repo.of(userId)
    if (factor?.confirmed_at == null) return
    if (!code) throw new DomainError('second_factor_needed', SECOND_FACTOR_TEXTS.needed)
    if (await takes(userId, factor.secret_sealed, code)) return
    await activity.record({ userId, kind: 'second-factor-wrong', visitor, failed: true })
    throw new DomainError('second_factor_wrong', SECOND_FACTOR_TEXTS.wrong)
  }
}

export function createSecondFactor(deps: SecondFactorDeps) {
  const { repo, users, sealer, clock, activity, recovery, brand } = deps
  const isOn = async (userId: string): Promise<boolean> => (await repo.of(userId))?.confirmed_at != null
  const assertCode = createCodeCheck(deps)

  return {
    isOn,
    assertCode,

    async status({ userId }: SessionCaller): Promise<SecondFactorStatus> {
      const enabled = await isOn(userId)
      return { enabled, recoveryCodesLeft: enabled ? await repo.recoveryCodesLeft(userId) : 0 }
    },

    /** A secret for the app. It counts once a code of it has come back. */
    async propose({ userId }: SessionCaller): Promise<{ secret: string; uri: string }> {
      const user = await users.userById(userId)
      const secret = newTotpSecret()
      if (!user || !(await repo.propose(userId, sealer.seal(new Secret(secret)), clock.now()))) {
        throw new DomainError('second_factor_state', SECOND_FACTOR_TEXTS.alreadyOn)
      }
      return { secret, uri: totpUri(secret, brand, user.email) }
    },

    /** Answers the recovery codes, which nobody sees again. */
    async confirm(caller: SessionCaller, code: string, visitor: Visitor): Promise<string[]> {
      const { userId } = caller
      const factor = await repo.of(userId)
      if (!factor || factor.confirmed_at !== null) {
        throw new DomainError(
          'second_factor_state',
          factor ? SECOND_FACTOR_TEXTS.alreadyOn : SECOND_FACTOR_TEXTS.notBegun,
        )
      }
      const secret = sealer.open(factor.secret_sealed)
      const step = matchingStep(secret.reveal(), plain(code), clock.now())
      if (step === null) throw new DomainError('second_factor_wrong', SECOND_FACTOR_TEXTS.wrong)
      const { codes, codeMarks } = newCodes(secret)
      const { secret_sealed: secretSealed } = factor
      if (!(await repo.confirm(caller, { secretSealed, step, codeMarks, now: clock.now() }))) {
        throw new DomainError('second_factor_state', SECOND_FACTOR_TEXTS.alreadyOn)
      }
      await activity.record({ userId, kind: 'second-factor-on', visitor })
      await recovery.tellSecondFactor(userId, 'on')
      return codes
    },

    /** The caller has proved the password. The codes before count no more; the app stays as it is. */
    async renewCodes(caller: SessionCaller, code: string, visitor: Visitor): Promise<string[]> {
      const { userId } = caller
      const factor = await repo.of(userId)
      if (factor?.confirmed_at == null) throw new DomainError('second_factor_state', SECOND_FACTOR_TEXTS.notOn)
      await assertCode(userId, code, visitor)
      const { codes, codeMarks } = newCodes(sealer.open(factor.secret_sealed))
      if (!(await repo.replaceCodes(caller, factor.secret_sealed, codeMarks))) {
        throw new DomainError('second_factor_state', SECOND_FACTOR_TEXTS.notOn)
      }
      await activity.record({ userId, kind: 'recovery-codes-new', visitor })
      return codes
    },

    /** The caller has proved the password. */
    async turnOff({ userId }: SessionCaller, code: string, visitor: Visitor): Promise<void> {
      if (!(await isOn(userId))) throw new DomainError('second_factor_state', SECOND_FACTOR_TEXTS.notOn)
      await assertCode(userId, code, visitor)
      await repo.remove(userId)
      await activity.record({ userId, kind: 'second-factor-off', visitor })
      await recovery.tellSecondFactor(userId, 'off')
    },
  }
}
