import { describe, expect, it } from 'vitest'
import { type ApiCall, curlOf } from './api-call.ts'

const call = (change: Partial<ApiCall>): ApiCall => ({
  method: 'GET',
  path: '/fitur/video',
  what: 'Daftar video.',
  access: 'key',
  ...change,
})
const curl = (change: Partial<ApiCall>): string => curlOf(call(change), 'https://siarin.test')

describe('the curl command of a call', () => {
  it('shows the key in a header, never in the address', () => {
    expect(curl({})).toBe('curl -H "X-API-Key: $API_KEY" https://siarin.test/fitur/video')
  })

  it('fills the places of the path so that a name with spaces stays one address', () => {
    const example = { places: { filename: 'liburan di Bali.mp4' } }
    expect(curl({ path: '/fitur/video/{filename}', example })).toContain('/fitur/video/liburan%20di%20Bali.mp4')
  })

  it('puts each option on a line of its own when one line is too short', () => {
    const lines = curl({ method: 'POST', path: '/fitur/steam/swap', example: { body: { source: 'malam.mp4' } } }).split(
      '\n',
    )
    expect(lines).toEqual([
      'curl \\',
      '  -H "X-API-Key: $API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"source":"malam.mp4"}' \\`,
      '  https://siarin.test/fitur/steam/swap',
    ])
  })

  it('puts the parts of a long body on lines of their own, as JSON that means the same', () => {
    const week = Object.fromEntries(
      Array.from({ length: 7 }, (_, day) => [`hari-${day}`, { from: '08:00', to: '22:00' }]),
    )
    const body = { title: 'Siaran', days: week, times: ['07:00'] }
    const command = curl({ method: 'PUT', example: { body } })
    expect(JSON.parse(/-d '(.*)' \\\n/s.exec(command)?.[1] ?? '')).toEqual(body)
    expect(Math.max(...command.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('keeps the quotes of a body whole', () => {
    const command = curl({ method: 'POST', example: { body: { title: "Jum'at malam" } } })
    expect(command).toContain(`-d '{"title":"Jum'\\''at malam"}'`)
    expect(command).not.toContain('-X')
  })

  it('names the method where curl would choose another', () => {
    expect(curl({ method: 'POST', access: 'session' })).toMatch(/^curl -X POST -H "Authorization: Bearer \$TOKEN" /)
    expect(curl({ method: 'DELETE' })).toMatch(/^curl -X DELETE /)
    expect(curl({ method: 'PATCH', example: { body: { name: 'Malam' } } })).toMatch(/^curl -X PATCH /)
  })

  it('sends a file as a form', () => {
    expect(curl({ method: 'POST', access: 'nothing', example: { file: ['video', 'klip.mp4'] } })).toBe(
      'curl -F video=@klip.mp4 https://siarin.test/fitur/video',
    )
  })
})
