import { describe, expect, it } from 'vitest'
import { assertHardToGuess } from './common-passwords.ts'

describe('a password that somebody chooses', () => {
  const owner = { username: 'Budi Santoso', email: 'budi.s@gmail.com' }
  const judge = (password: string) =>
    assertHardToGuess(password, owner).then(
      () => 'taken',
      ({ code }) => code,
    )

  it.each(['123456', 'password', 'PassWord', 'qwerty', 'iloveyou', 'trustno1', 'sayang', 'bismillah', 'Indonesia123'])(
    'is refused where a guesser would try it first: %s',
    async (password) => {
      expect(await judge(password)).toBe('password_too_common')
    },
  )

  it.each(['Budi Santoso', 'budi.s@gmail.com', 'BUDI.S'])(
    "is refused where it is its owner's name: %s",
    async (name) => {
      expect(await judge(name)).toBe('password_too_common')
    },
  )

  it.each(['rahasia-sekali', 'hujan di ubud', 'budi santoso 7'])('is taken otherwise: %s', async (password) => {
    expect(await judge(password)).toBe('taken')
  })
})
