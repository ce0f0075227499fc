import { describe, expect, it } from 'vitest'
import { DomainError } from '../../errors.ts'
import { createLocalCounters } from '../../platform/counters.ts'
import { createGuessGuard } from './guess-guard.ts'
import { LOGIN_RULES } from './guess-rules.ts'

const EMAIL = 'budi@gmail.com'
const HOME = '203.0.113.9'
const LAPTOP = 'laptop'

function guarded() {
  let now = 0
  const guard = createGuessGuard({
    counters: createLocalCounters(() => now),
    name: 'login',
    rules: LOGIN_RULES,
    wrong: 'wrong_credentials',
    async knownBy(email, { address, deviceToken }) {
      if (email !== EMAIL) return null
      if (deviceToken === LAPTOP) return LAPTOP
      return address === HOME ? HOME : null
    },
  })
  const attempt = (password: string, address: string, email: string, deviceToken: string | null) =>
    guard.judged(email, { address, device: '', deviceToken }, async () => {
      if (password === 'busy') throw new DomainError('server_busy', 'busy')
      if (password !== 'right') throw new DomainError('wrong_credentials', 'wrong')
      return 'in'
    })
  /** 'in', the code of the refusal, or for how many seconds it is refused. */
  const tried = (password: string, address: string, { email = EMAIL, device = '' } = {}): Promise<string | number> =>
    attempt(password, address, email, device).catch((error: DomainError) => error.retryAfterSeconds ?? error.code)
  return { tried, pass: (ms: number) => (now += ms) }
}

const WRONG = 'wrong_credentials'

/** Each comes from another network. */
const stranger = (index: number) => `198.18.${index >> 8}.${index & 255}`

describe('[SAFE-06] whoever guesses a password', () => {
  it('is refused after ten wrong ones from an address, which closes the account to nobody elsewhere', async () => {
    const { tried, pass } = guarded()
    for (let index = 0; index < 10; index++) expect(await tried('guess', stranger(1))).toBe(WRONG)
    expect(await tried('right', stranger(1))).toBe(600)
    expect(await tried('right', HOME)).toBe('in')
    expect(await tried('right', stranger(2))).toBe('in')
    expect(await tried('guess', stranger(1), { email: 'ani@gmail.com' })).toBe(WRONG)
    pass(LOGIN_RULES.windowMs)
    expect(await tried('right', stranger(1))).toBe('in')
  })

  it('gains nothing by asking many times at one moment', async () => {
    const { tried } = guarded()
    const fromOne = await Promise.all(Array.from({ length: 40 }, () => tried('guess', stranger(1))))
    expect(fromOne.filter((answer) => answer === WRONG)).toHaveLength(10)
    const fromMany = await Promise.all(Array.from({ length: 100 }, (_, index) => tried('guess', stranger(index + 2))))
    expect(fromMany.filter((answer) => answer === WRONG)).toHaveLength(20)
  })

  it('gains nothing by the other addresses of an IPv6 line', async () => {
    const { tried } = guarded()
    for (let index = 0; index < 10; index++) await tried('guess', `2001:db8:1:2::${index}`)
    expect(await tried('guess', '2001:db8:1:2:ffff::1')).toBe(600)
    expect(await tried('guess', '2001:db8:1:3::1')).toBe(WRONG)
  })

  it('has few guesses in ten minutes by very many addresses together, for an account that exists and for one that does not', async () => {
    for (const email of [EMAIL, 'nobody@gmail.com']) {
      const { tried, pass } = guarded()
      let judged = 0
      // One guess of each address, one a second, for ten minutes.
      for (let index = 0; index < 600; index++) {
        if ((await tried('guess', stranger(index), { email })) === WRONG) judged++
        pass(1_000)
      }
      expect(judged).toBeLessThan(40)
    }
  })

  it('has to wait longer and longer, and no longer than five minutes', async () => {
    const { tried, pass } = guarded()
    let index = 0
    for (; index < 30; index++) expect(await tried('guess', stranger(index))).toBe(WRONG)
    for (const seconds of [5, 10, 20, 40, 80, 160]) {
      expect(await tried('guess', stranger(index++))).toBe(seconds)
      pass(seconds * 1000)
      expect(await tried('guess', stranger(index++))).toBe(WRONG)
    }
    expect(await tried('guess', stranger(index))).toBe(300)
  })
})

describe('[SAFE-06] the owner of an account that is being attacked', () => {
  async function attacked() {
    const guard = guarded()
    for (let index = 0; index < 500; index++) await guard.tried('guess', stranger(index))
    return guard
  }

  it('gets in from a known address and with a known browser from anywhere, and may mistype there', async () => {
    const { tried } = await attacked()
    expect([await tried('oops', HOME), await tried('right', HOME)]).toEqual([WRONG, 'in'])
    const elsewhere = (password: string) => tried(password, stranger(1), { device: LAPTOP })
    expect([await elsewhere('oops'), await elsewhere('right')]).toEqual([WRONG, 'in'])
  })

  it('waits elsewhere, as every stranger does, but only for a moment', async () => {
    const { tried, pass } = await attacked()
    expect(await tried('right', stranger(9_999))).toBe(5)
    pass(5_000)
    // What is not judged, or right, keeps nobody waiting.
    expect(await tried('busy', stranger(9_998))).toBe('server_busy')
    expect(await tried('right', stranger(9_999))).toBe('in')
    expect(await tried('right', stranger(9_997))).toBe('in')
  })

  it('is not counted for right passwords', async () => {
    const { tried } = guarded()
    for (let index = 0; index < 40; index++) expect(await tried('right', stranger(index))).toBe('in')
  })

  it('has a known browser that was stolen: ten guesses with it, wherever it goes', async () => {
    const { tried } = guarded()
    for (let index = 0; index < 10; index++) await tried('guess', stranger(index), { device: LAPTOP })
    expect(await tried('guess', stranger(11), { device: LAPTOP })).toBe(600)
  })
})
