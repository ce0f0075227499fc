import { expect, it } from 'vitest'
import { mailboxOf } from './mailbox.ts'

it.each([
  ['Ani.Budi+toko+1@Gmail.com', 'anibudi@gmail.com'],
  ['a.n.i.budi@googlemail.com', 'anibudi@gmail.com'],
  ['Ani.Budi+toko@Mail.example', 'ani.budi@mail.example'],
])('[SAFE-07] letters to %s arrive in the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})
