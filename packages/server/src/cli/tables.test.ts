import { describe, expect, it } from 'vitest'
import { columns, document, plainBytes, table } from './tables.ts'

describe('what the operator reads', () => {
  it('stands in columns, and is a sentence where there is nothing', () => {
    expect(
      table(
        ['ID', 'NAME'],
        [
          ['1', 'Budi'],
          ['200', ''],
        ],
        'None.',
      ),
    ).toBe('ID   NAME\n1    Budi\n200')
    expect(table(['ID', 'NAME'], [], 'None.')).toBe('None.')
  })

  it('may have rows of any length', () => {
    expect(columns([['A', 'B'], ['1'], ['22', '3', 'more'], []])).toBe('A   B\n1\n22  3  more\n')
    expect(columns([])).toBe('')
  })

  it('is a document of one field a line, each hidden character as its number', () => {
    expect(document({ name: '\u007f\u200e\u200f\u202a\u2066\u2069' })).toBe(
      '{\n  "name": "\\u007f\\u200e\\u200f\\u202a\\u2066\\u2069"\n}',
    )
  })

  it('has sizes with a point, as its sentences are English', () => {
    expect([0, 1_000, 8_325_693, 1.5 * 1024 ** 5].map(plainBytes)).toEqual([
      '0 Bytes',
      '1000 Bytes',
      '7.94 MB',
      '1536.00 TB',
    ])
  })

  it('cannot steer the terminal, whatever somebody has called himself', () => {
    const name = 'a\u001b[31mb\u009bc\u202ed\ne'
    expect(table(['NAME'], [[name]], '')).toBe('NAME\na?[31mb?c?d?e')
    expect(document({ name })).toContain('"a\\u001b[31mb\\u009bc\\u202ed\\ne"')
    expect(JSON.parse(document({ name }))).toEqual({ name })
  })
})
