import { createServer } from 'node:net'
import { Secret } from '@siarin/media/secret'
import { type MailServer, startMailServer } from '@siarin/testkit/mail-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChannelSettings, ChannelsDeps } from '../src/modules/alerts/channels/channels.ts'
import { channelsOf, messageOf, ON_SQLITE, sendBy, soonOver } from './support/channels.ts'
import type { RepoDatabase } from './support/repo-databases.ts'

describe.each(ON_SQLITE)('ALERT-01 a message to', ({ open }) => {
  let opened: RepoDatabase
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  const given = (settings: Partial<ChannelSettings> = {}, deps: Partial<ChannelsDeps> = {}) =>
    channelsOf({ db: opened.db, settings, deps })

  describe('an e-mail address', () => {
    let mail: MailServer
    let made: ReturnType<typeof given>
    const verifiedMailOf = async (userId: string) => (userId === 'stranger' ? null : `${userId}@mail.example`)

    beforeAll(async () => {
      mail = await startMailServer()
      made = withMail(mail.url)
    })
    afterAll(async () => {
      await made.channels.stop()
      await mail.stop()
    })
    const withMail = (url: string) =>
      given({ mail: { smtpUrl: new Secret(url), from: 'Siarin <no-reply@siarin.example>' } }, { verifiedMailOf })
    const send = (userId: string, message = messageOf()) => sendBy(made, 'email')(userId, message, soonOver())

    it('arrives in plain text and as HTML, with the way to the settings, under the same id at each try', async () => {
      const message = messageOf({ title: 'Siaran <b>mati</b>', text: 'Baris satu\nBaris & dua' })
      expect((await send('rina', message)).kind).toBe('sent')
      expect(await send('rina', message)).toMatchObject({ kind: 'sent', answer: expect.stringMatching(/^250 /) })
      const [first, second] = mail.mails.filter(({ to }) => to === 'rina@mail.example')
      expect(first?.subject).toBe('Siaran <b>mati</b> - Siarin')
      expect(first?.text).toContain('Baris satu\r\nBaris & dua')
      expect(first?.text).toContain('https://siarin.example/fitur/siaran')
      expect(first?.raw).toMatch(/^List-Unsubscribe: <https:\/\/siarin\.example\/fitur\/notifikasi>/m)
      expect(first?.raw).toMatch(/^Auto-Submitted: auto-generated/m)
      expect(first?.raw.replaceAll('=\r\n', '')).toContain('Siaran &#60;b&#62;mati')
      const idOf = (raw = '') => /^Message-ID: (\S+)/im.exec(raw)?.[1]
      expect(idOf(first?.raw)).toBe(`<alert.${message.id}@siarin.example>`)
      expect(idOf(second?.raw)).toBe(idOf(first?.raw))
    })

    it('is not sent to an address that nobody has verified', async () => {
      expect((await send('stranger')).kind).toBe('gone')
      expect(mail.mails.some(({ to }) => to.startsWith('stranger'))).toBe(false)
    })

    it('cannot be given a header by what somebody typed', async () => {
      await send('budi', messageOf({ id: 'x>\r\nBcc: a@b.example', title: 'Halo\r\nBcc: korban@mail.example' }))
      const got = mail.mails.find(({ to }) => to === 'budi@mail.example')
      expect(got?.raw.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im)
    })

    it('is tried later where the server is busy, and is gone where the mailbox is', async () => {
      mail.refuse(['sari@mail.example'])
      expect(await send('sari')).toMatchObject({ kind: 'later', answer: expect.stringContaining('try again later') })
      mail.refuse(false)
      mail.refuseRecipient('ani@mail.example', { code: 550, message: '5.1.1 The email account does not exist' })
      expect(await send('ani')).toMatchObject({ kind: 'gone', answer: expect.stringContaining('does not exist') })
      mail.refuseRecipient('dewi@mail.example', { code: 550, message: '5.7.1 Message rejected as spam' })
      expect((await send('dewi')).kind).toBe('refused')
    })

    it('waits for no server that is silent or away, and tells no password', async () => {
      const silent = createServer(() => {})
      await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
      const { port } = silent.address() as { port: number }
      for (const url of [
        `smtp://siarin:kata-sandi-smtp@127.0.0.1:${port}`,
        'smtp://siarin:kata-sandi-smtp@127.0.0.1:1',
      ]) {
        const other = withMail(url)
        const outcome = await sendBy(other, 'email')('rina', messageOf(), AbortSignal.timeout(500))
        expect(outcome).toMatchObject({ kind: 'later', afterMs: null })
        expect(JSON.stringify(outcome) + other.log()).not.toContain('kata-sandi-smtp')
        await other.channels.stop()
      }
      silent.close()
    })

    it('piles up no letters behind a server that says nothing', async () => {
      const silent = createServer(() => {})
      await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
      const { port } = silent.address() as { port: number }
      const other = withMail(`smtp://127.0.0.1:${port}`)
      const tries = () =>
        Promise.all(
          Array.from({ length: 15 }, () =>
            sendBy(other, 'email')('rina', messageOf(), AbortSignal.timeout(50)).then(({ answer }) => answer),
          ),
        )
      const answers = [...(await tries()), ...(await tries())]
      expect(answers.filter((answer) => answer === 'Tidak ada jawaban dalam waktunya.')).toHaveLength(20)
      expect(answers.filter((answer) => answer.includes('surat sebelumnya masih menunggu'))).toHaveLength(10)
      await other.channels.stop()
      silent.close()
    })

    it('has no sender where the operator has no mail server', () => {
      expect(given().channels.senders.email).toBeNull()
    })
  })
})
