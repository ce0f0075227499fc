import { describe, expect, it } from 'vitest'
import { document, table } from './tables.ts'

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

  it('cannot steer the terminal, whatever somebody has called himself', () => {
    const name = 'a\u001b[31mb\u009bc\u202ed\ne'
    expect(table(['NAME'], [[name]], '')).toBe('NAME\na?[31mb?c?d?e')
    expect(document({ name })).toContain('"a\\u001b[31mb\\u009bc\\u202ed\\ne"')
    expect(JSON.parse(document({ name }))).toEqual({ name })
  })
})
