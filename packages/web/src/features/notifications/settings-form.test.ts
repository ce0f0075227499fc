import { ALERT_TEXTS } from '@siarin/contracts/alert-texts'
import { DEFAULT_ALERT_SETTINGS } from '@siarin/contracts/alerts'
import { describe, expect, it } from 'vitest'
import { firstZone, formOf, isChanged, readForm, withSwitch } from './settings-form.ts'

const FORM = formOf(DEFAULT_ALERT_SETTINGS)

describe('[ALERT-03] the form of the settings', () => {
  it('comes back as it was', () => {
    expect(readForm(FORM)).toEqual({ settings: DEFAULT_ALERT_SETTINGS })
    expect(isChanged(FORM, DEFAULT_ALERT_SETTINGS)).toBe(false)
  })

  it('switches one place of one kind, and back', () => {
    const off = withSwitch(FORM, 'stream.back', 'email', false)
    expect(isChanged(off, DEFAULT_ALERT_SETTINGS)).toBe(true)
    expect(off.kinds['stream.back']).toEqual({ ...FORM.kinds['stream.back'], email: false })
    expect(off.kinds['stream.failed']).toEqual(FORM.kinds['stream.failed'])
    expect(isChanged(withSwitch(off, 'stream.back', 'email', true), DEFAULT_ALERT_SETTINGS)).toBe(false)
  })

  it.each(['', '0', '-3', '1.5', '1441', 'lima', '1e3'])('says that %j is no number of minutes', (offAirMinutes) => {
    expect(readForm({ ...FORM, offAirMinutes })).toEqual({ faults: { offAirMinutes: ALERT_TEXTS.offAirInvalid } })
  })

  it('says what is wrong with each field at once', () => {
    const wrong = { ...FORM, restartsPerHour: '101', quiet: { on: true, from: '22:00', to: '22:00' } }
    expect(readForm(wrong)).toEqual({
      faults: { restartsPerHour: ALERT_TEXTS.restartsInvalid, quiet: ALERT_TEXTS.quietEmpty },
    })
    expect(readForm({ ...FORM, quiet: { on: false, from: '22:00', to: '22:00' } })).toHaveProperty('settings')
  })
  it('begins with the zone of the browser, where nobody has chosen one', () => {
    const zone = 'Asia/Jakarta'
    expect(firstZone({ zone, saved: false }, 'Asia/Makassar')).toBe('Asia/Makassar')
    expect(firstZone({ zone, saved: true }, 'Asia/Makassar')).toBeNull()
    expect(firstZone({ zone, saved: false }, zone)).toBeNull()
    expect(firstZone({ zone, saved: false }, 'Mars/Utopia')).toBeNull()
  })
})
