import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { call, fromAddress, type TestProgram } from './support/program.ts'

describe.each(DATABASES)('how often an article was read, on $name', ({ open }) => {
  let program: TestProgram

  beforeAll(async () => {
    program = await startProgramOn(open)
  })
  afterAll(() => program.close())

  const views = async () => (await call(program.url, 'GET', '/articles/views')).body.data
  const read = (slug: string, address: string) =>
    call(program.url, 'POST', `/articles/${slug}/views`, { headers: fromAddress(address) })

  it('[DOCS-01] is nothing at first for all five, and needs neither session nor key', async () => {
    expect(await views()).toEqual({
      'siaran-pertama': 0,
      'menyiapkan-video': 0,
      'kunci-dan-platform': 0,
      api: 0,
      webhook: 0,
    })
  })

  it('[DOCS-01] counts each reader of each article once, however often they reload', async () => {
    for (const address of ['198.51.100.1', '198.51.100.1', '198.51.100.2']) {
      expect((await read('api', address)).status).toBe(200)
    }
    await read('siaran-pertama', '198.51.100.1')
    expect(await views()).toMatchObject({ api: 2, 'siaran-pertama': 1, 'menyiapkan-video': 0 })
  })

  it('refuses an article that does not exist', async () => {
    expect((await read('tidak-ada', '198.51.100.3')).status).toBe(400)
  })
})
