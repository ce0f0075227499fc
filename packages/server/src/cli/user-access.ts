import { createIdentityRepo } from '../modules/identity/identity.repo.ts'
import { RESET_LINK_MS, resetAddress } from '../modules/identity/recovery.service.ts'
import { ABSOLUTE_MS, IDLE_MS } from '../modules/identity/session-rules.ts'
import { createOperatorChanges } from '../modules/operators/operator-changes.ts'
import { argOf, type DatabaseCommand, Refusal, textOf } from './command.ts'
import { isoOrNull, localTime } from './dates.ts'
import { peopleOf } from './people.ts'
import { table } from './tables.ts'
import { WHO } from './user-commands.ts'

const SESSIONS_SHOWN = 1000

export const userResetPassword: DatabaseCommand = {
  name: 'user reset-password',
  args: ['who'],
  summary: 'give a user a new random password, shown once, and log out everywhere',
  details: [
    WHO,
    'The API key is renewed with it: programs of the user need the new one, which the profile shows.',
    'Tell the user to choose a password of their own.',
  ],
  options: {},
  examples: ['user reset-password budi@gmail.com'],
  prepare: (args) => async (context) => {
    const person = await peopleOf(context).findForChange(argOf(args, 0))
    const { password, endedSessions } = await createOperatorChanges(context).resetPassword(person.id)
    const { id, username, email } = person
    return {
      json: { user: { id, username, email }, password, endedSessions, apiKeyRenewed: true },
      text: `The new password of ${username} (${email}), not shown again:\n\n  ${password}\n\nSessions ended: ${endedSessions}. The API key is a new one.`,
    }
  },
}

export const userResetLink: DatabaseCommand = {
  name: 'user reset-link',
  args: ['who'],
  summary: 'make a link with which a user chooses a new password: once, within 30 minutes',
  details: [
    WHO,
    'Give it to the user in a way that nobody else reads. With the new password every device is logged out and the API key is',
    'renewed; until then nothing changes. Where SMTP_URL is set, users get such a link by e-mail themselves.',
  ],
  options: {},
  examples: ['user reset-link budi@gmail.com'],
  prepare: (args) => async (context) => {
    const { id, username, email } = await peopleOf(context).findForChange(argOf(args, 0))
    const token = await createOperatorChanges(context).makeResetLink(id)
    const link = resetAddress(context.publicUrl ?? `http://localhost:${context.port}`, token)
    return {
      json: { user: { id, username, email }, link, minutes: RESET_LINK_MS / 60_000 },
      text: `For ${username} (${email}), once and within 30 minutes, not shown again:\n\n  ${link}`,
      ...(context.publicUrl === null && { note: 'PUBLIC_URL is not set: put the address of your server in front' }),
    }
  },
}

export const userSecondFactorOff: DatabaseCommand = {
  name: 'user second-factor-off',
  args: ['who'],
  summary: 'turn the second factor of a user off, who has lost the app and the recovery codes',
  details: [WHO, 'Make sure that it is really the user who asks. The password stays; the user can turn it on again.'],
  options: {},
  examples: ['user second-factor-off budi@gmail.com'],
  prepare: (args) => async (context) => {
    const { id, username, email } = await peopleOf(context).findForChange(argOf(args, 0))
    const changed = await createOperatorChanges(context).turnOffSecondFactor(id)
    const text = changed ? `The second factor of ${username} is off.` : `${username} had no second factor.`
    return { json: { user: { id, username, email }, changed }, text }
  },
}

export const userSessions: DatabaseCommand = {
  name: 'user sessions',
  args: ['who'],
  summary: 'show where a user is logged in, or end that',
  details: [WHO],
  options: { end: { value: 'all|ID', help: 'log out everywhere, or in one place' } },
  examples: [
    'user sessions budi@gmail.com',
    'user sessions budi --end all',
    'user sessions budi --end 0f8f1c1e-7c57-4bd0-a2c5-2f7f5a0d3c11',
  ],
  prepare(args) {
    const end = textOf(args, 'end')
    return async (context) => {
      const { id, username, email } = await peopleOf(context).find(argOf(args, 0))
      const ended =
        end === undefined ? 0 : await createOperatorChanges(context).endSessions(id, end === 'all' ? null : end)
      if (ended === 0 && end !== undefined && end !== 'all') {
        throw new Refusal(`${username} has no open session '${end}'`)
      }
      const now = context.clock.now()
      const rows = await createIdentityRepo(context.db).openSessions(
        id,
        now - IDLE_MS,
        now - ABSOLUTE_MS,
        SESSIONS_SHOWN,
      )
      const sessions = rows.map((row) => ({
        id: row.id,
        device: row.device,
        address: row.address,
        createdAt: isoOrNull(row.created_at),
        lastSeenAt: isoOrNull(row.last_seen_at),
      }))
      const list = table(
        ['ID', 'SINCE', 'LAST SEEN', 'ADDRESS', 'DEVICE'],
        rows.map((row) => [row.id, localTime(row.created_at), localTime(row.last_seen_at), row.address, row.device]),
        `${username} is not logged in anywhere.`,
      )
      return {
        json: { user: { id, username, email }, sessions, ended },
        text: end === undefined ? list : `Sessions ended: ${ended}.\n\n${list}`,
      }
    }
  },
}
