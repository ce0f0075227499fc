import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const [, unit = ''] = /```ini\n([\s\S]*?)```/.exec(readFileSync('docs/operations.md', 'utf8')) ?? []

it('the unit that operators are told to write keeps broadcasts on air when the program or one of its tools is killed', () => {
  const lines = unit.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'StartLimitIntervalSec=0',
      'Restart=always',
      'KillMode=process',
      // Memory is bounded, and the end of one tool for it is not the end of the unit.
      expect.stringMatching(/^MemoryMax=\d+M$/),
      'OOMPolicy=continue',
    ]),
  )
})
