import { execFileSync } from 'node:child_process'
import { totalmem } from 'node:os'
import { SystemStatusAnswer } from '@siarin/contracts/system'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, call, signIn, startProgram, type TestProgram } from './support/program.ts'

describe('the status of the machine', () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(() => program.close())

  const status = (headers: Record<string, string> = {}) => call(program.url, 'GET', '/fitur/system/status', { headers })

  it('answers of an account are kept by no cache, whether they are given or refused', async () => {
    const { token } = await signIn(program.url)
    for (const headers of [bearer(token), {}]) {
      const reply = await fetch(`${program.url}/auth/profile`, { headers })
      expect(reply.headers.get('cache-control')).toBe('no-store')
    }
  })

  it('[DASH-03] has cpu, memory and disk as the machine itself has them', async () => {
    const { token } = await signIn(program.url)
    const reply = await status(bearer(token))
    expect(reply.status).toBe(200)
    const { success, cpu, memory, disk } = SystemStatusAnswer.strict().parse(reply.body)
    expect(success).toBe(true)
    expect(cpu.usage).toBeGreaterThanOrEqual(0)

    expect(memory.total).toBe(totalmem())
    expect(memory.used).toBeGreaterThan(0)
    expect(memory.usage).toBeCloseTo((memory.used / memory.total) * 100, 0)

    const df = execFileSync('df', ['-P', '-T', '-k', program.dataDir], { encoding: 'utf8' })
    const [filesystem, type, kilobytes, used, , share] = df.trim().split('\n').at(-1)?.split(/\s+/) ?? []
    expect(disk).toMatchObject({ filesystem, type, size: Number(kilobytes) * 1024 })
    // Others write to this disk meanwhile.
    expect(Math.abs(disk.used - Number(used) * 1024)).toBeLessThan(2 * 1024 ** 3)
    expect(Math.abs(disk.usage - Number.parseInt(share ?? '', 10))).toBeLessThanOrEqual(3)
  })

  it('[DASH-03] takes a session and no API key: a guest gets 401', async () => {
    const { user } = await signIn(program.url)
    expect(await status()).toMatchObject({ status: 401, body: { success: false, code: 'not_authenticated' } })
    expect((await status({ 'x-api-key': user.apiKey })).status).toBe(401)
    expect((await status(bearer('st_made-up'))).status).toBe(401)
  })

  it('is read once for all who ask', async () => {
    const { token } = await signIn(program.url)
    const replies = await Promise.all(Array.from({ length: 100 }, () => status(bearer(token))))
    const answers = new Set(replies.map(({ body }) => JSON.stringify(body)))
    // The machine may have been looked at once in between.
    expect(answers.size).toBeLessThanOrEqual(2)
  })

  it('tells of the last minutes, and goes on by itself', async () => {
    const { token } = await signIn(program.url)
    const ask = async () => (await status(bearer(token))).body
    const before = await ask()
    expect(before.history).toMatchObject({ everySeconds: 5 })
    expect(before.history.cpu.at(-1)).toBe(before.cpu.usage)
    const later = await waitFor(
      'another look at the machine',
      async () => {
        const now = await ask()
        return now.history.cpu.length > before.history.cpu.length ? now : undefined
      },
      { timeoutMs: 20_000 },
    )
    expect(later.history.memory.slice(0, before.history.memory.length)).toEqual(before.history.memory)
    expect(later.history.disk).toHaveLength(later.history.cpu.length)
  })
})
