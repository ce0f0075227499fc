import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstUpdateOf, readUpdates } from './telegram-updates.ts'

const update = (id: number, text: string, chat: object = { id: 5, first_name: 'Rina' }) => ({
  update_id: id,
  message: { text, chat },
})

describe('updates of a bot', () => {
  it('are read for /start, with and without a code, also in a group', () => {
    const read = readUpdates([
      update(7, '/start abc_DEF-1'),
      update(8, '/start@siarin_bot kode  ', { id: -100, title: 'Tim' }),
      update(9, '/start'),
      update(10, '/start a b'),
      update(11, '/starting x'),
      update(12, `/start ${'x'.repeat(65)}`),
    ])
    expect(read?.nextUpdate).toBe(13)
    expect(read?.starts).toEqual([
      { updateId: 7, chatId: '5', code: 'abc_DEF-1', who: 'Rina' },
      { updateId: 8, chatId: '-100', code: 'kode', who: 'Tim' },
      { updateId: 9, chatId: '5', code: null, who: 'Rina' },
    ])
  })

  it('tell who it is in a line that is short and plain', () => {
    const [start] =
      readUpdates([update(1, '/start', { id: 5, first_name: `a\n\u202e${'x'.repeat(200)}` })])?.starts ?? []
    expect(start?.who).toMatch(/^a x+…$/)
    expect(start?.who.length).toBeLessThanOrEqual(60)
    expect(readUpdates([update(1, '/start', { id: 5, first_name: '\u200b' })])?.starts[0]?.who).toBe('5')
  })

  it('never stop us: what is unknown is passed over', () => {
    expect(readUpdates({})).toBeNull()
    expect(readUpdates([])).toEqual({ nextUpdate: null, starts: [] })
    fc.assert(
      fc.property(fc.array(fc.anything()), (things) => {
        const read = readUpdates([...things, { update_id: 2 ** 40 }])
        expect(read?.nextUpdate).toBeGreaterThanOrEqual(2 ** 40 + 1)
      }),
    )
  })
})

describe('an answer that is too long', () => {
  it('tells where it begins, and nothing that somebody typed', () => {
    expect(firstUpdateOf('{"ok":true,"result":[{"update_id":712,"message":{"text":"xxx')).toBe(712)
    expect(firstUpdateOf(' { "ok" : true, "result" : [ {\n"update_id" : 8,')).toBe(8)
    for (const odd of [
      '',
      '{"ok":true,"result":[',
      '{"ok":true,"result":[{"update_id":71',
      '{"ok":true,"result":[{"message":{"text":"\\"update_id\\":5"},"update_id":6}',
      '{"ok":false,"result":[{"update_id":712,',
    ]) {
      expect(firstUpdateOf(odd)).toBeNull()
    }
  })
})
