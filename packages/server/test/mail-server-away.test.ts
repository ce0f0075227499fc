import { Secret } from '@siarin/media/secret'
import { startMailServer } from '@siarin/testkit/mail-server'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createMailer } from '../src/platform/mail/mailer.ts'
import { mailSettings } from './support/mail.ts'
import { call, newUser, startProgram } from './support/program.ts'

const HOUR_MS = 3_600_000

describe('a mail server that is dead, and none', () => {
  it('one that puts some letters off holds up no other', async () => {
    const server = await startMailServer()
    const full = ['penuh-1@example.org', 'penuh-2@example.org', 'penuh-3@example.org']
    server.refuse(full)
    const timings = { mailRetriesMs: [HOUR_MS] }
    const mailer = createMailer({
      smtpUrl: new Secret(server.url),
      from: 'siarin@example.org',
      log: pino({ enabled: false }),
      timings,
    })
    const post = (to: string) => mailer.post({ to, subject: 'Halo', text: 'Isi' })
    for (const to of full) post(to)
    await waitFor('the refusals', async () => server.refused === full.length)
    post('siap@example.org')
    await waitFor('the letter behind them', async () => server.mails.length === 1)
    await mailer.close()
    await server.stop()
  })

  it('a dead one holds up neither a registration nor a login', async () => {
    // Nobody listens there.
    const program = await startProgram(mailSettings('smtp://127.0.0.1:1'))
    try {
      const user = newUser()
      const began = Date.now()
      await call(program.url, 'POST', '/auth/register', { body: user })
      expect((await call(program.url, 'POST', '/auth/login', { body: user })).status).toBe(200)
      const tookMs = Date.now() - began
      // Nobody waited for a connection.
      expect(tookMs).toBeLessThan(5_000)
      await waitFor('it to be given up', async () => program.logged().includes('a mail could not be sent'))
    } finally {
      await program.close()
    }
  })

  it('without one everything is as before, and whoever asks is told so', async () => {
    const program = await startProgram()
    try {
      const asked = await call(program.url, 'POST', '/auth/forgot', { body: { email: newUser().email } })
      expect(asked).toMatchObject({ status: 404, body: { message: expect.stringContaining('administrator') } })
      expect((await call(program.url, 'GET', '/settings')).body.sendsMail).toBe(false)
    } finally {
      await program.close()
    }
  })
})
