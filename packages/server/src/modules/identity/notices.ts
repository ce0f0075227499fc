import type { Visitor } from '../../http/visitor.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Counters } from '../../platform/counters.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import type { IdentityRepo } from './identity.repo.ts'
import { newDeviceLetter, passwordChangedLetter, type Sender, secondFactorLetter } from './letters.ts'
import type { UserRow } from './users.repo.ts'

export interface Mail {
  readonly mailer: Mailer
  readonly publicUrl: string
}

interface NoticesDeps {
  repo: Pick<IdentityRepo, 'userById'>
  clock: Clock
  mail: Mail | null
  sender: Sender
  /** How many have been sent. */
  letters: Pick<Counters, 'add'>
}

type Owner = Pick<UserRow, 'id' | 'email' | 'email_verified_at'>

const DAY_MS = 86_400_000
const NOTICES_A_DAY = 10

/** Tells owners by e-mail what has happened to their account. */
export function createNotices({ repo, clock, mail, sender, letters }: NoticesDeps) {
  /**
   * Anybody may register with anybody's address and log in a thousand times: only who has shown that the mailbox is theirs hears of it,
   * and only so often a day.
   */
  async function mayBeTold(user: Owner): Promise<boolean> {
    if (!mail || user.email_verified_at === null) return false
    return (await letters.add(`notice:${user.id}`, DAY_MS)).count <= NOTICES_A_DAY
  }

  return {
    async tellPasswordChanged(user: Owner): Promise<void> {
      if (await mayBeTold(user)) mail?.mailer.post(passwordChangedLetter(sender, user.email, { at: clock.now() }))
    },

    async tellSecondFactor(userId: string, now: 'on' | 'off'): Promise<void> {
      const user = await repo.userById(userId)
      if (!user || !(await mayBeTold(user))) return
      mail?.mailer.post(secondFactorLetter(sender, user.email, { now, at: clock.now() }))
    },

    async tellNewDevice(user: Owner, { device, address }: Visitor): Promise<void> {
      if (!(await mayBeTold(user))) return
      mail?.mailer.post(newDeviceLetter(sender, user.email, { device, address, at: clock.now() }))
    },
  }
}
