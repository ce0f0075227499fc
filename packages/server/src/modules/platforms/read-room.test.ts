import { BIGO_TEXTS } from '@siarin/contracts/texts'
import { describe, expect, it } from 'vitest'
import { readRoom } from './read-room.ts'

const ROOM = {
  roomId: '641',
  sid: 27,
  nick_name: 'Rina',
  alive: 1,
  hls_src: 'https://hls.example/1.m3u8',
  passRoom: false,
  isPaidShow: false,
  needLogin: false,
}
const read = (data: unknown, { code = 0, status = 200 }: { code?: unknown; status?: number } = {}) =>
  readRoom({ status, text: JSON.stringify({ code, msg: '', data }) })

describe('what Bigo says of a room', () => {
  it('that is live has its address and its name', () => {
    expect(read(ROOM)).toEqual({
      state: 'live',
      message: 'Sedang siaran.',
      nickname: 'Rina',
      source: 'https://hls.example/1.m3u8',
    })
  })

  it.each([
    ['alive 0', { alive: 0 }, 'offline'],
    ['alive 0 as text', { alive: '0' }, 'offline'],
    ['no address', { hls_src: '' }, 'offline'],
    ['an address of no kind', { hls_src: null }, 'offline'],
    ['alive null', { alive: null }, 'unknown'],
    ['no alive at all', { alive: undefined }, 'unknown'],
    ['sid null', { sid: null }, 'unknown'],
    ['roomId null', { roomId: null }, 'unknown'],
    ['a login', { needLogin: true }, 'blocked'],
    ['a login as a number', { needLogin: 1, alive: 0 }, 'blocked'],
    ['a password', { passRoom: true }, 'blocked'],
    ['an entrance fee', { isPaidShow: 1 }, 'blocked'],
  ])('with %s is sorted', (_, change, state) => {
    expect(read({ ...ROOM, ...change })).toMatchObject({ state, source: null })
  })

  it('that is not open to everybody says so, with the name of who has it', () => {
    for (const closed of [{ passRoom: true }, { isPaidShow: '1' }]) {
      expect(read({ ...ROOM, ...closed })).toMatchObject({ nickname: 'Rina', message: BIGO_TEXTS.closed })
    }
    expect(read({ ...ROOM, needLogin: true })).toMatchObject({ nickname: 'Rina', message: BIGO_TEXTS.blocked })
    expect(read({ ...ROOM, alive: 0 })).toMatchObject({ nickname: 'Rina', message: BIGO_TEXTS.offline })
  })

  it('may be written as numbers, texts or truths', () => {
    expect(read({ ...ROOM, alive: '1', needLogin: 0, passRoom: '0' }, { code: '0' }).state).toBe('live')
    expect(read({ ...ROOM, alive: true }).state).toBe('live')
    expect(read({ ...ROOM, alive: {} }).state).toBe('unknown')
    expect(read({ ...ROOM, needLogin: 'yes', isPaidShow: 2 }).state).toBe('live')
  })

  it.each([[[]], [null], ['text'], [7]])('that it does not know (%j) is unknown', (data) => {
    expect(read(data)).toMatchObject({ state: 'unknown', nickname: null, message: 'Id Bigo ini tidak ditemukan.' })
  })

  it.each([
    ['a page', 200, '<!doctype html>'],
    ['a page that begins as data', 200, '{"code":0,'],
    ['nothing', 200, ''],
    ['another thing', 200, '[]'],
    ['an error', 200, '{"code":1,"msg":"paramters invalid","data":[]}'],
    ['418', 418, '{"code":0,"data":{}}'],
    ['403', 403, ''],
    ['a redirect', 302, ''],
  ])('as %s is a refusal of us, and no word about the room', (_, status, text) => {
    expect(readRoom({ status, text })).toMatchObject({ state: 'blocked', source: null })
  })

  it.each([500, 502, 503])('with status %d is no answer', (status) => {
    expect(read(ROOM, { status })).toMatchObject({ state: 'unreachable', source: null })
  })

  it('has names that can be shown', () => {
    expect(read({ ...ROOM, nick_name: ' \u202eRi\u0000na ' }).nickname).toBe('Rina')
    expect(read({ ...ROOM, nick_name: 'n'.repeat(500) }).nickname).toHaveLength(60)
    expect(read({ ...ROOM, nick_name: ' \u0000 ' }).nickname).toBeNull()
    expect(read({ ...ROOM, nick_name: { a: 1 } }).nickname).toBeNull()
  })
})
