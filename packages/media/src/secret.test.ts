import { format, inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Secret } from './secret.ts'

describe('a secret', () => {
  const secret = new Secret('abcd-1234-efgh')

  it('gives its value only when asked to reveal it', () => {
    expect(secret.reveal()).toBe('abcd-1234-efgh')
  })

  it('prints as a mask whichever way it is printed', () => {
    const printed = [
      String(secret),
      `${secret}`,
      'key: '.concat(secret as unknown as string),
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ deep: [secret] }, { showHidden: true, depth: 9 }),
      format('%s %o %j', secret, secret, secret),
      new Error(`failed for ${secret}`).stack ?? '',
    ]
    for (const text of printed) {
      expect(text).toContain('[secret]')
      expect(text).not.toContain('1234')
    }
  })

  it('has no property that a copy or a loop over keys could carry away', () => {
    expect(Reflect.ownKeys(secret)).toEqual([])
    expect(JSON.stringify({ ...secret })).toBe('{}')
  })

  it('equals a secret of the same value and no other', () => {
    expect(secret.equals(new Secret('abcd-1234-efgh'))).toBe(true)
    for (const other of ['', 'abcd-1234-efgx', 'abcd-1234-efg', 'abcd-1234-efghabcd-1234-efgh', 'abcd-1234-efgh\0']) {
      expect(secret.equals(new Secret(other)), other).toBe(false)
    }
    expect(new Secret('').equals(new Secret(''))).toBe(true)
    expect(new Secret('aa').equals(new Secret('a'))).toBe(false)
  })
})
