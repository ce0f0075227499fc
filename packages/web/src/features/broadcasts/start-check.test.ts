import { describe, expect, it } from 'vitest'
import type { Picked } from '../../lib/picked.ts'
import { EMPTY_FORM } from './go-form.ts'
import { checkStart } from './start-check.ts'

const picked: Picked = { name: 'a.mp4', url: '/x', source: 'a.mp4', streamId: null }
const form = EMPTY_FORM
const tiktok = { ...form, platform: 'tiktok', accountId: '1' } as const
const text = (...args: Parameters<typeof checkStart>): string | null => {
  const check = checkStart(...args)
  return check.ok ? null : check.text
}

describe('what must hold before a start', () => {
  it('[LIVE-11] is asked for in the order of the specification', () => {
    expect(text(null, tiktok, [])).toBe('Pilih video terlebih dahulu.')
    expect(text(picked, { ...tiktok, accountId: '' }, [])).toBe('Pilih akun TikTok terlebih dahulu.')
    expect(text(picked, tiktok, [])).toBe('Akun TikTok tidak ditemukan.')
    expect(text(picked, tiktok, [{ account_id: '1', name: 'a' }])).toBe('Token tidak ditemukan pada akun ini.')
    expect(text(picked, form, [])).toBe('RTMP/stream key diperlukan.')
    expect(text({ ...picked, source: '' }, { ...form, key: 'k' }, [])).toBe('Sumber video tidak valid.')
  })

  it('takes the token of the credentials, else the mapped one', () => {
    const token = (account: object) => {
      const check = checkStart(picked, tiktok, [{ account_id: '1', name: 'a', ...account }])
      return check.ok && check.target.kind === 'tiktok' ? check.target.token : null
    }
    expect(token({ credentials: { token: 'c' }, auth: 'a' })).toBe('c')
    expect(token({ auth: 'a' })).toBe('a')
  })

  it("says whose room an online source is and what stands in for it; a video of one's own has neither", () => {
    const withFallback = { ...form, key: 'k', fallback: 'b.mp4' }
    const online = (change: Partial<Picked>) => {
      const check = checkStart({ ...picked, ...change }, withFallback, [])
      return check.ok && check.online
    }
    expect(online({ online: { accountId: 'a1' } })).toEqual({ accountId: 'a1', fallback: 'b.mp4' })
    expect(online({ online: { accountId: null } })).toEqual({ fallback: 'b.mp4' })
    expect(online({})).toEqual({})
  })

  it('[LIST-01] begins a playlist with the chosen item, and ends it after one round where that is wanted', () => {
    const facts = (itemId: string | null, once: boolean) => {
      const list = { ...picked, source: 'playlist:p1', playlist: { id: 'p1', itemId } }
      const check = checkStart(list, { ...form, key: 'k', fallback: 'b.mp4', once }, [])
      return check.ok && check.online
    }
    expect(facts(null, false)).toEqual({})
    expect(facts('i2', true)).toEqual({ playlistItem: 'i2', looping: false })
  })

  it('takes the key that is kept while none is typed', () => {
    const target = (key: string) => {
      const check = checkStart(picked, { ...form, key, keyOf: 's1' }, [])
      return check.ok && check.target
    }
    expect(target(' ')).toEqual({ kind: 'kept', streamId: 's1' })
    expect(target('baru')).toEqual({ kind: 'key', key: 'baru' })
  })

  it('passes a trimmed key on', () => {
    const check = checkStart(picked, { ...form, key: ' abc ' }, [])
    expect(check).toMatchObject({ ok: true, source: 'a.mp4', target: { kind: 'key', key: 'abc' } })
  })

  it('puts a bare key behind the server of a preset, to the letter, and leaves a whole address alone', () => {
    const other = { ...form, platform: 'lain', preset: 'dailymotion', server: 'rtmp://a.tv/live/' } as const
    const target = (key: string) => {
      const check = checkStart(picked, { ...other, key }, [])
      return check.ok && check.target
    }
    expect(target(' x1?auth=a&b=%2F ')).toEqual({ kind: 'key', key: 'rtmp://a.tv/live/x1?auth=a&b=%2F' })
    expect(target('rtmps://b.tv/app/k')).toEqual({ kind: 'key', key: 'rtmps://b.tv/app/k' })
    expect(text(picked, { ...other, key: ' ' }, [])).toBe('RTMP/stream key diperlukan.')
    expect(text(picked, { ...other, key: 'k', server: ' ' }, [])).toBe('Isi alamat server yang diberikan Dailymotion.')
    expect(checkStart(picked, { ...other, key: ' ', keyOf: 's1' }, [])).toMatchObject({ target: { kind: 'kept' } })
  })

  it('[TGT-01] asks for no key while stored targets are ticked, and takes one that is typed besides', () => {
    const ticked = { ...form, ticked: ['t1'] }
    expect(checkStart(picked, ticked, [])).toMatchObject({ ok: true, target: { kind: 'ticked' } })
    expect(checkStart(picked, { ...ticked, key: ' k ' }, [])).toMatchObject({ target: { kind: 'key', key: 'k' } })
    expect(checkStart(picked, { ...ticked, keyOf: 's1' }, [])).toMatchObject({ target: { kind: 'kept' } })
    expect(checkStart(picked, { ...tiktok, ticked: ['t1'], accountId: '' }, [])).toMatchObject({
      target: { kind: 'ticked' },
    })
    expect(text(picked, { ...tiktok, ticked: ['t1'] }, [])).toBe('Akun TikTok tidak ditemukan.')
    expect(text(null, ticked, [])).toBe('Pilih video terlebih dahulu.')
    expect(text({ ...picked, source: '' }, ticked, [])).toBe('Sumber video tidak valid.')
  })
})
