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
    expect(curl({})).toBe('curl \\\n  -H "X-API-Key: $API_KEY" \\\n  https://siarin.test/fitur/video')
  })

  it('fills the places of the path so that a name with spaces stays one address', () => {
    const example = { places: { filename: 'liburan di Bali.mp4' } }
    expect(curl({ path: '/fitur/video/{filename}', example })).toContain('/fitur/video/liburan%20di%20Bali.mp4')
  })

  it('sends a body as JSON, with its quotes kept whole', () => {
    const command = curl({ method: 'POST', example: { body: { title: "Jum'at malam" } } })
    expect(command).toContain("-H 'Content-Type: application/json'")
    expect(command).toContain(`-d '{"title":"Jum'\\''at malam"}'`)
    expect(command).not.toContain('-X')
  })

  it('names the method where curl would choose another', () => {
    expect(curl({ method: 'POST', access: 'session' })).toMatch(
      /^curl -X POST .*\n {2}-H "Authorization: Bearer \$TOKEN"/,
    )
    expect(curl({ method: 'DELETE' })).toMatch(/^curl -X DELETE/)
  })

  it('sends a file as a form', () => {
    expect(curl({ method: 'POST', access: 'nothing', example: { file: ['video', 'klip.mp4'] } })).toBe(
      'curl \\\n  -F video=@klip.mp4 \\\n  https://siarin.test/fitur/video',
    )
  })
})
