import { describe, expect, it } from 'vitest'
import { FeatureError, isAboutPlan } from './feature-calls.ts'

describe('a refusal that a larger plan would change', () => {
  it.each<[boolean, string, string | null, string | null]>([
    [true, 'a limit of the plan', 'plan_limit', null],
    [true, 'no room of the own', 'storage_full', 'no-room'],
    [true, 'no room, where the server tells no reason', 'storage_full', null],
    [false, "a full disk of the server's", 'storage_full', 'disk-full'],
    [false, 'anything else', 'invalid_input', null],
  ])('%s: %s', (about, _what, code, reasonCode) => {
    expect(isAboutPlan(new FeatureError('Sebuah kalimat.', 'failed', code, reasonCode))).toBe(about)
  })
})
