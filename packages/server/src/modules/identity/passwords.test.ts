import { describe, expect, it } from 'vitest'
import { USUAL_TIMINGS } from '../../platform/timings.ts'
import { argon2At } from './argon2.ts'
import { createPasswords, knownTo, stranger } from './passwords.ts'

const from = (index: number) => stranger({ address: `198.18.0.${index}`, device: '' })

/** The bound is what is looked at: a hundred true hashes would keep a core busy for seconds. */
function heldPasswords() {
  const released = Promise.withResolvers<void>()
  const begun: string[] = []
  const passwords = createPasswords({
    async hash(password: string) {
      begun.push(password)
      if (password !== 'owner') await released.promise
      return `#${password}`
    },
    verify: async () => true,
  })
  return { passwords, begun, release: released.resolve }
}

const refusalsIn = (answers: PromiseSettledResult<unknown>[]) =>
  answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))

describe('[SAFE-06] passwords that are to be hashed', () => {
  it('wait for their turn, and beyond a hundred that wait are refused with a time to come back', async () => {
    const { passwords, release } = heldPasswords()
    const flood = Array.from({ length: 110 }, (_, index) => passwords.hash('guess', from(index)))
    release()
    const refused = refusalsIn(await Promise.allSettled(flood))
    expect(refused).toHaveLength(9)
    expect(refused[0]).toMatchObject({ code: 'server_busy', retryAfterSeconds: 5 })
    expect(await passwords.hash('rahasia', from(1))).toBe('#rahasia')
  })

  it('of known ones wait behind no stranger, however many strangers there are', async () => {
    const { passwords, release } = heldPasswords()
    const flood = Array.from({ length: 110 }, (_, index) => passwords.hash('guess', from(index)))
    const told = Promise.allSettled(flood)
    // Not one of the strangers is through yet.
    expect(await passwords.hash('owner', knownTo('budi'))).toBe('#owner')
    release()
    expect(refusalsIn(await told)).toHaveLength(9)
  })

  it('of one address wait behind those of others, and leave them room', async () => {
    const { passwords, begun, release } = heldPasswords()
    const flood = Array.from({ length: 60 }, () => passwords.hash('flood', from(1)))
    const others = [2, 3].map((index) => passwords.hash(`single ${index}`, from(index)))
    release()
    expect(refusalsIn(await Promise.allSettled(flood)).length).toBe(19)
    await Promise.all(others)
    expect(begun.indexOf('single 3')).toBeLessThan(4)
  })

  it('of a few accounts that ask for hundreds keep no other account waiting', async () => {
    const { passwords, begun, release } = heldPasswords()
    const accounts = ['satu', 'dua', 'tiga']
    const flood = Array.from({ length: 120 }, (_, index) => passwords.hash('flood', knownTo(accounts[index % 3] ?? '')))
    const told = Promise.allSettled(flood)
    const owner = passwords.hash('owner', knownTo('budi'))
    release()
    expect(await owner).toBe('#owner')
    expect(begun.indexOf('owner')).toBeLessThan(5)
    expect(refusalsIn(await told)[0]).toMatchObject({ code: 'server_busy' })
  })

  it('are true ones', async () => {
    const passwords = createPasswords(argon2At(USUAL_TIMINGS.passwordCost))
    const budi = knownTo('budi')
    const hash = await passwords.hash('rahasia', budi)
    expect(hash).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
    const matches = (password: string) => passwords.matches(hash, password, budi)
    expect([await matches('rahasia'), await matches('rahasiA')]).toEqual([true, false])
  })

  it('match what an earlier version has written, with another library', async () => {
    const written = '$argon2id$v=19$m=19456,t=2,p=1$3BZyRPbbWdY1BfFEX0jhzw$6c+4pIC9e4s0tWFXhYOHViZ5Rl6strx61vyRWl1XtNs'
    const { verify } = argon2At({})
    expect([await verify(written, 'x'), await verify(written, 'y')]).toEqual([true, false])
    await expect(verify('x', 'x')).rejects.toThrow('no hash')
  })
})
