import { expect, it } from 'vitest'
import { createLog } from './log.ts'

it('[SAFE-02] keeps what opens an account to itself, also what libraries write at the lowest level', () => {
  const lines: string[] = []
  const log = createLog('trace', { write: (line: string) => void lines.push(line) })
  const headers = { authorization: 'Bearer st_rahasia', cookie: 'siarin_device=dv_rahasia', 'x-api-key': 'sk_rahasia' }
  log.trace({ busboyOptions: { headers } }, 'Providing options to busboy')
  log.trace({ headers }, 'headers')
  log.info({ user: { apiKey: 'sk_rahasia', password: 'rahasia', token: 'st_rahasia' } }, 'user')
  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toContain('rahasia')
})
