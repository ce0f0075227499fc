import { randomInt } from 'node:crypto'
import { type PlanId, planName } from '@siarin/contracts/plans'
import type { StreamReason } from '@siarin/media/parse/exit-reason'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { createActivity } from '../activity/index.ts'
import { createStreamsRepo } from '../broadcasts/store/streams.repo.ts'
import { freshApiKey } from '../identity/api-keys.ts'
import { createMailLinksRepo } from '../identity/mail-links.repo.ts'
import { setNewPassword } from '../identity/new-password.repo.ts'
import { createOperatorRepo } from '../identity/operator.repo.ts'
import { createPasswords, knownTo } from '../identity/passwords.ts'
import { makeLink, RESET_LINK_MS } from '../identity/recovery.service.ts'
import { createSecondFactorRepo } from '../identity/second-factor.repo.ts'
import type { Person } from './people.ts'

type Activity = ReturnType<typeof createActivity>['service']
type Kind = Parameters<Activity['record']>[0]['kind']

export type OperatorChanges = ReturnType<typeof createOperatorChanges>

interface OperatorDeps {
  readonly db: Db
  readonly clock: Clock
  /** Who sits at the keyboard. */
  readonly operator: string
  /** Opens the sealer of the server's own secret; refuses where that is not to be had. */
  readonly openSealer: () => Promise<Sealer>
}

/** Nobody came over HTTP: empty, and left out where it is shown. */
const NO_VISITOR = { address: '', device: '' }

const BY_OPERATOR: StreamReason = 'operator'

/** Without those that are taken for each other when they are read out over the telephone. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const PASSWORD_LENGTH = 16

const newPassword = (): string =>
  Array.from({ length: PASSWORD_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

const longDate = new Intl.DateTimeFormat('id-ID', { dateStyle: 'long' })
const rupiah = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 0 })

const untilWords = (until: number | null): string =>
  until === null ? 'tanpa batas waktu' : `sampai ${longDate.format(until)}`

/** A renewal that was made twice shows as such; what came before the first plan needs no words. */
function beforeWords(had: Person, plan: PlanId): string {
  if (had.plan === 'free-trial') return ''
  return `, sebelumnya ${had.plan === plan ? untilWords(had.planUntil) : planName(had.plan)}`
}

/**
 * A change and the note of who made it, together or not at all. The change answers what its note says, or null when it found the
 * row other than it thought.
 */
const createNoted =
  ({ db, clock, operator }: OperatorDeps) =>
  (userId: string, kind: Kind, change: (transaction: Db) => Promise<string | null>): Promise<boolean> =>
    db.transaction().execute(async (transaction) => {
      const about = await change(transaction)
      if (about === null) return false
      const { service } = createActivity({ db: transaction, clock })
      const detail = [about, `oleh operator ${operator}`].filter(Boolean).join(' · ')
      await service.record({ userId, kind, visitor: NO_VISITOR, detail })
      return true
    })

type Noted = ReturnType<typeof createNoted>

export function createOperatorChanges(deps: OperatorDeps) {
  const noted = createNoted(deps)
  return { ...standingChanges(deps, noted), ...accessChanges(deps, noted), ...streamChanges(deps, noted) }
}

/** What a user may have and do. */
const standingChanges = ({ clock }: OperatorDeps, noted: Noted) => ({
  /** False: somebody else has changed the plan since it was read. */
  setPlan: (person: Person, plan: PlanId, until: number | null): Promise<boolean> =>
    noted(person.id, 'plan-changed', async (transaction) => {
      const now = clock.now()
      const since = plan === person.plan ? person.planSince : now
      // A trial may have ended long ago: its owner learns of it now, and the days until the videos go count from now.
      const dates =
        plan === 'free-trial'
          ? { plan_since: null, plan_until: null, ended_seen_at: now, ended_checked_at: now }
          : { plan_since: since, plan_until: until, ended_seen_at: null }
      if (!(await createOperatorRepo(transaction).setPlan(person, { plan, ...dates }))) return null
      return `${planName(plan)}${plan === 'free-trial' ? '' : ` ${untilWords(until)}`}${beforeWords(person, plan)}`
    }),

  /** False: it would fall below nothing, or rise above what can be kept. */
  addCredit: (userId: string, amount: number): Promise<boolean> =>
    noted(userId, 'credit-changed', async (transaction) => {
      const credit = await createOperatorRepo(transaction).addCredit(userId, amount)
      if (credit === null) return null
      return `${amount > 0 ? '+' : ''}${rupiah.format(amount)}, menjadi ${rupiah.format(credit)}`
    }),

  /** False: it was so already. */
  suspend: (userId: string, reason: string): Promise<boolean> =>
    noted(userId, 'suspended', async (transaction) => {
      const changed = await createOperatorRepo(transaction).suspend(userId, reason || null, clock.now())
      return changed ? reason : null
    }),

  resume: (userId: string): Promise<boolean> =>
    noted(userId, 'resumed', async (transaction) => {
      return (await createOperatorRepo(transaction).resume(userId)) ? '' : null
    }),
})

/** How a user gets in. */
const accessChanges = ({ clock, openSealer }: OperatorDeps, noted: Noted) => ({
  /** Who knew the old one is logged out everywhere, and the API key that they may have taken ends too. */
  async resetPassword(userId: string): Promise<{ password: string; endedSessions: number }> {
    const password = newPassword()
    const newKey = freshApiKey(await openSealer())
    const passwordHash = await createPasswords().hash(password, knownTo(userId))
    let endedSessions = 0
    await noted(userId, 'password-reset', async (transaction) => {
      const now = clock.now()
      endedSessions = (await setNewPassword(transaction, { userId, passwordHash, newKey, now })) ?? 0
      return ''
    })
    return { password, endedSessions }
  },

  /** A link with which the user chooses a new password. Those of before count no more. */
  async makeResetLink(userId: string): Promise<string> {
    let token = ''
    await noted(userId, 'reset-link-made', async (transaction) => {
      const link = { userId, kind: 'reset-given', now: clock.now(), lifeMs: RESET_LINK_MS } as const
      token = await makeLink(createMailLinksRepo(transaction), link)
      return ''
    })
    return token
  },

  /** False: there was none. */
  turnOffSecondFactor: (userId: string): Promise<boolean> =>
    noted(userId, 'second-factor-reset', async (transaction) => {
      return (await createSecondFactorRepo(transaction).remove(userId)) ? '' : null
    }),

  /** Null: all of them. Answers how many were open. */
  async endSessions(userId: string, sessionId: string | null): Promise<number> {
    let ended = 0
    await noted(userId, 'sessions-ended', async (transaction) => {
      ended = await createOperatorRepo(transaction).endSessions(userId, sessionId, clock.now())
      return ended === 0 ? null : `${ended} perangkat`
    })
    return ended
  },
})

const streamChanges = ({ db, clock }: OperatorDeps, noted: Noted) => ({
  /** The worker that keeps it reads its row every second; one that nobody keeps yet ends here. */
  async stopStream(stream: { id: string; userId: string; about: string }): Promise<void> {
    await noted(stream.userId, 'stream-stop-asked', async (transaction) => {
      await createStreamsRepo(transaction).askStop(stream.id, BY_OPERATOR)
      return stream.about
    })
    const state = { at: 'ended', reason: 'stopped', cause: BY_OPERATOR } as const
    await createStreamsRepo(db).endIfUnclaimed(stream.id, { state, reason: BY_OPERATOR, endedAt: clock.now() })
  },
})
