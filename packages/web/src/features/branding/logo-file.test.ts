import { LOGO_MAX_BYTES } from '@siarin/contracts/branding'
import { describe, expect, it } from 'vitest'
import { logoFault, logoTypeOf } from './logo-file.ts'

const file = (name: string, type: string, size = 10) => ({ name, type, size })

describe('a file that is to be the logo', () => {
  it('[BRAND-01] is a PNG or an SVG, by its type or, where the system knows none, by its name', () => {
    expect(logoTypeOf(file('a.png', 'image/png'))).toBe('image/png')
    expect(logoTypeOf(file('A.SVG', ''))).toBe('image/svg+xml')
    expect(logoTypeOf(file('foto.png', 'image/jpeg'))).toBeNull()
    expect(logoFault(file('foto.jpg', 'image/jpeg'))).toBe('Logo harus file PNG atau SVG.')
  })

  it('[BRAND-01] has something in it, and not more than the server takes', () => {
    expect(logoFault(file('a.png', 'image/png', 0))).toBe('File logonya kosong.')
    expect(logoFault(file('a.png', 'image/png', LOGO_MAX_BYTES + 1))).toBe('Logo paling besar 2 MB.')
    expect(logoFault(file('a.png', 'image/png', LOGO_MAX_BYTES))).toBeNull()
  })
})
