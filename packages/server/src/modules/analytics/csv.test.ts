import { describe, expect, it } from 'vitest'
import { csvLine } from './csv.ts'

describe('[STAT-03] a line of CSV', () => {
  it('quotes what would break it', () => {
    expect(csvLine(['a', 1.5, null, 'b,c', 'say "hi"', 'two\nlines'])).toBe(
      'a,1.5,,"b,c","say ""hi""","two\nlines"\r\n',
    )
  })
  it.each(['=1+1', '+62', '-1', '@SUM(A1)', '\t=1', '\r=1'])('carries out no formula: %j', (text) => {
    expect(csvLine([text]).replace(/^"/, '').startsWith(`'${text[0]}`)).toBe(true)
  })
  it('carries out none behind what ends a cell elsewhere', () =>
    expect(csvLine(['promo; =HYPERLINK(1)'])).toBe("promo; '=HYPERLINK(1)\r\n"))
  it('leaves our own negative numbers alone', () => expect(csvLine([-3])).toBe('-3\r\n'))
})
