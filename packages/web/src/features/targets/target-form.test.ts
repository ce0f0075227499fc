import { presetOf } from '@siarin/contracts/platform-presets'
import type { Target } from '@siarin/contracts/targets'
import { describe, expect, it } from 'vitest'
import { asksAddress, changedTarget, changeForm, faultsOf, formOf, newTarget } from './target-form.ts'

const TARGET: Target = {
  ...{ id: 'one', name: 'Kanal', platform: 'lain', preset: null, address: 'rtmp://host/live', keyHint: '••••abcd' },
  ...{ createdAt: '2026-01-15T12:30:00.000Z', lastUsedAt: null, check: null },
}
const EMPTY = formOf(null)

describe('[TGT-01] the form of a target', () => {
  it('says what is missing before it asks the server', () => {
    expect(Object.keys(faultsOf(EMPTY, null))).toEqual(['name', 'key'])
    expect(Object.keys(faultsOf({ ...EMPTY, platform: 'lain', name: 'x' }, null))).toEqual(['address', 'key'])
    expect(faultsOf({ ...EMPTY, name: 'x', platform: 'lain', address: 'rtmp://host/live/abcd' }, null)).toEqual({})
    expect(faultsOf({ ...EMPTY, name: 'x', platform: 'tiktok', key: 'rtmp://host/live/abcd' }, null)).toEqual({})
    expect(faultsOf(formOf(TARGET), TARGET)).toEqual({})
  })

  it('asks for an address where the platform has none of its own', () => {
    expect(asksAddress('youtube', null)).toBe(false)
    expect(asksAddress('tiktok', null)).toBe(true)
    expect(asksAddress('youtube', { ...TARGET, platform: 'youtube' })).toBe(true)
    expect(newTarget({ ...EMPTY, name: ' Kanal ', address: 'rtmp://typed/before', key: ' abcd ' })).toEqual({
      name: 'Kanal',
      platform: 'youtube',
      address: null,
      key: 'abcd',
    })
  })

  it('takes the server of a service, and its name where there is none', () => {
    const lain = changeForm(EMPTY, { platform: 'lain' })
    const twitch = changeForm(lain, { preset: 'twitch', address: lain.address })
    expect(twitch).toMatchObject({ name: 'Twitch', preset: 'twitch' })
    expect(twitch.address).toBe(presetOf('twitch')?.servers[0]?.url)
    expect(newTarget({ ...twitch, key: 'live_1' })).toMatchObject({ preset: 'twitch', address: twitch.address })
    expect(changeForm({ ...lain, name: 'Malam' }, { preset: 'twitch' }).name).toBe('Malam')
    expect(changeForm(twitch, { platform: 'youtube' }).preset).toBe('')
    const kept = { ...TARGET, preset: 'twitch', address: twitch.address }
    expect(changedTarget(formOf(kept), kept)).toEqual({})
    const { address } = changeForm(formOf(kept), { preset: 'kick' })
    expect(changedTarget(changeForm(formOf(kept), { preset: 'kick' }), kept)).toEqual({ preset: 'kick', address })
  })

  it('sends only what is not as it was', () => {
    const form = formOf(TARGET)
    expect(changedTarget(form, TARGET)).toEqual({})
    expect(changedTarget({ ...form, name: 'Malam' }, TARGET)).toEqual({ name: 'Malam' })
    expect(changedTarget({ ...form, key: ' baru ' }, TARGET)).toEqual({ key: 'baru' })
    expect(changedTarget({ ...form, platform: 'youtube', key: 'baru' }, TARGET)).toEqual({
      platform: 'youtube',
      preset: null,
      address: null,
      key: 'baru',
    })
    expect(changedTarget({ ...form, key: 'rtmp://lain/app/baru', address: '' }, TARGET)).toEqual({
      key: 'rtmp://lain/app/baru',
    })
  })
})
