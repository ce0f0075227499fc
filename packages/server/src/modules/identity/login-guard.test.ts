import { describe, expect, it } from 'vitest'
import { DomainError } from '../../errors.ts'
import { createLocalCounters } from '../../platform/counters.ts'
import { createLoginGuard } from './login-guard.ts'
import { LOGIN_RULES } from './login-rules.ts'

const EMAIL = 'budi@gmail.com'
const HOME = '203.0.113.9'

function guarded() {
  let now = 0
  const counters = createLocalCounters(() => now)
  const guard = createLoginGuard({ counters, addressesOf: async (email) => (email === EMAIL ? [HOME] : []) })
  const attempt = (password: string, address: string, email = EMAIL) =>
    guard.judged(email, address, async () => {
      if (password !== 'right') throw new DomainError('wrong_credentials', 'wrong')
      return 'in'
    })
  /** 'in', 'wrong', or for how many seconds it is refused. */
  const tried = (password: string, address: string, email?: string): Promise<string | number> =>
    attempt(password, address, email).catch((error: DomainError) => error.retryAfterSeconds ?? 'wrong')
  return { tried, pass: (ms: number) => (now += ms) }
}

/** A stranger of another network each time. */
const stranger = (index: number) => `198.18.${index >> 8}.${index & 255}`

describe('[SAFE-06] whoever guesses a password', () => {
  it('is refused after ten wrong ones from an address, which closes the account to nobody elsewhere', async () => {
    const { tried, pass } = guarded()
    for (let index = 0; index < 10; index++) expect(await tried('guess', stranger(1))).toBe('wrong')
    expect(await tried('right', stranger(1))).toBe(600)
    expect(await tried('right', HOME)).toBe('in')
    expect(await tried('right', stranger(2))).toBe('in')
    expect(await tried('guess', stranger(1), 'ani@gmail.com')).toBe('wrong')
    pass(LOGIN_RULES.windowMs)
    expect(await tried('right', stranger(1))).toBe('in')
  })

  it('gains nothing by asking many times at one moment', async () => {
    const { tried } = guarded()
    const answers = await Promise.all(Array.from({ length: 40 }, () => tried('guess', stranger(1))))
    expect(answers.filter((answer) => answer === 'wrong')).toHaveLength(10)
  })

  it('gains nothing by the other addresses of an IPv6 line', async () => {
    const { tried } = guarded()
    for (let index = 0; index < 10; index++) await tried('guess', `2001:db8:1:2::${index}`)
    expect(await tried('guess', '2001:db8:1:2:ffff::1')).toBe(600)
    expect(await tried('guess', '2001:db8:1:3::1')).toBe('wrong')
  })

  it('has to wait longer and longer between two when many addresses do it together', async () => {
    const { tried, pass } = guarded()
    let index = 0
    const fail = async (times: number) => {
      for (; times > 0; times--) expect(await tried('guess', stranger(index++))).toBe('wrong')
    }
    await fail(51)
    expect(await tried('guess', stranger(index - 1))).toBe(5)
    pass(5_000)
    expect(await tried('guess', stranger(index - 1))).toBe('wrong')
    await fail(50)
    expect(await tried('guess', stranger(index - 1))).toBe(10)
    await fail(300)
    expect(await tried('guess', stranger(index - 1))).toBe(300)
  })
})

describe('[SAFE-06] the owner of an account that is being attacked', () => {
  async function attacked() {
    const guard = guarded()
    for (let index = 0; index < 500; index++) await guard.tried('guess', stranger(index))
    return guard
  }

  it('gets in with the right password from anywhere, at the first try', async () => {
    const { tried } = await attacked()
    expect(await tried('right', HOME)).toBe('in')
    expect(await tried('right', stranger(9_999))).toBe('in')
  })

  it('may mistype at home as ever, and waits a little elsewhere', async () => {
    const { tried, pass } = await attacked()
    expect([await tried('oops', HOME), await tried('right', HOME)]).toEqual(['wrong', 'in'])
    expect([await tried('oops', stranger(9_999)), await tried('right', stranger(9_999))]).toEqual(['wrong', 300])
    pass(300_000)
    expect(await tried('right', stranger(9_999))).toBe('in')
  })

  it('is not counted for right passwords', async () => {
    const { tried } = guarded()
    for (let index = 0; index < 30; index++) expect(await tried('right', HOME)).toBe('in')
  })
})
