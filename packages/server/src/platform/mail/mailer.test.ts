import { Secret } from '@siarin/media/secret'
import { waitFor } from '@siarin/testkit/wait-for'
import { expect, it, vi } from 'vitest'
import { createLog } from '../log.ts'
import { createMailer, type Letter } from './mailer.ts'

const smtp = vi.hoisted(() => ({ send: async (_letter: { to: string }): Promise<void> => {} }))
vi.mock('nodemailer', () => ({ createTransport: () => ({ sendMail: smtp.send, close: () => {} }) }))

const letterTo = (to: string): Letter => ({ to, subject: 'Halo', text: 'Halo' })
const createMailerOf = (mailRetriesMs: number[] = []) =>
  createMailer({
    smtpUrl: new Secret('smtp://mail'),
    from: 'Siarin <a@b>',
    log: createLog('silent'),
    timings: { mailRetriesMs },
  })

it('[SAFE-07] somebody to whom many letters go holds up no other', async () => {
  const sent: string[] = []
  smtp.send = async ({ to }) => void sent.push(to)
  const mailer = createMailerOf()
  for (let count = 0; count < 300; count++) mailer.post(letterTo(`banyak${count % 40}@mail.example`))
  mailer.post(letterTo('ani@mail.example'))
  await waitFor('the letters to be sent', async () => sent.includes('ani@mail.example'))
  expect(sent.indexOf('ani@mail.example')).toBeLessThanOrEqual(42)
  await mailer.close()
})

it('[SAFE-07] those that are put off push out none that was never tried', async () => {
  const tried = new Set<string>()
  smtp.send = async ({ to }) => {
    tried.add(to)
    if (to.startsWith('penuh')) throw Object.assign(new Error('later'), { responseCode: 451 })
  }
  const mailer = createMailerOf([60_000])
  for (let count = 0; count < 500; count++) mailer.post(letterTo(`penuh${count}@mail.example`))
  await waitFor('all to be put off', async () => tried.size === 500)
  const lost: string[] = []
  const others = Array.from({ length: 20 }, (_, index) => `ani${index}@mail.example`)
  for (const to of others) mailer.post(letterTo(to), () => lost.push(to))
  await waitFor('the others to be sent', async () => tried.size >= 520 - lost.length)
  expect(lost).toEqual([])
  await mailer.close()
})

it('[SAFE-07] many spellings of one address hold up nobody, and what can wait goes last', async () => {
  const sent: string[] = []
  smtp.send = async ({ to }) => void sent.push(to)
  const mailer = createMailerOf()
  const verify = (to: string) => mailer.post({ ...letterTo(to), canWait: true })
  for (let count = 0; count < 10; count++) verify(`kor.ban+${count}@gmail.com`)
  for (const to of ['ani@gmail.com', 'budi@gmail.com']) verify(to)
  mailer.post(letterTo('citra@gmail.com'))
  await waitFor('the letters to be sent', async () => sent.length === 13)
  // Two were under way when the others came.
  const order = sent.map((to) => to.replace(/kor.*@/, '')).slice(2, 6)
  expect(order).toEqual(['citra@gmail.com', 'gmail.com', 'ani@gmail.com', 'budi@gmail.com'])
  await mailer.close()
})

it('[SAFE-07] a flood of what can wait pushes out nothing else, whether it was tried or not', async () => {
  const [tried, lost]: [string[], string[]] = [[], []]
  smtp.send = async ({ to }) => {
    tried.push(to)
    if (to.startsWith('penuh')) throw Object.assign(new Error('later'), { responseCode: 451 })
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const mailer = createMailerOf([60_000])
  const others = Array.from({ length: 40 }, (_, index) => `${index % 2 ? 'penuh' : 'ani'}${index % 20}@mail.example`)
  const post = (to: string, canWait: boolean) => mailer.post({ ...letterTo(to), canWait }, () => lost.push(to))
  for (const to of others) post(to, false)
  for (let count = 0; count < 600; count++) post(`siapa${count}@mail.example`, true)
  for (const to of others) post(to, false)
  await waitFor('the others to be tried', async () =>
    others.every((to) => tried.filter((each) => each === to).length === 4),
  )
  expect(lost.filter((to) => !to.startsWith('siapa'))).toEqual([])
  expect(lost.length).toBeGreaterThan(100)
  await mailer.close()
})
