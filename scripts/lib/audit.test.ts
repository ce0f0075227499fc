import { describe, expect, it } from 'vitest'
import { readAudit } from './audit.mjs'

const report = (vulnerabilities: object) =>
  `npm warn something\n${JSON.stringify({ auditReportVersion: 2, vulnerabilities })}`

describe('a report on known weaknesses', () => {
  it('names the serious ones', () => {
    const found = {
      a: { name: 'a', severity: 'high' },
      b: { name: 'b', severity: 'moderate' },
      c: { name: 'c', severity: 'critical' },
    }
    expect(readAudit(report(found))).toEqual(['a (high)', 'c (critical)'])
    expect(readAudit(report({}))).toEqual([])
  })

  it.each(['', 'npm error audit endpoint returned an error', '{"message":"405","method":"POST"}'])(
    'that did not come is told apart from a clean one: %s',
    (output) => {
      expect(readAudit(output)).toBeNull()
    },
  )
})
