import { PAGE_TOKENS } from '@siarin/contracts/prerendered'
import type { PublicSettings } from '@siarin/contracts/settings'
import { unescapeHtml } from '@siarin/testkit/unescape-html'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageTemplate } from './page-template.ts'

const settings = (change: Partial<PublicSettings> = {}): PublicSettings => ({
  brand: 'Siarin',
  whatsappNumber: '',
  trialDays: 7,
  server: 'https://siarin.example',
  sendsMail: false,
  videoServiceUrl: '',
  year: 2026,
  ...change,
})

describe('a prerendered page', () => {
  it('gets the values of its tokens, as text and within addresses', () => {
    const chat = `https://wa.me/?text=${encodeURIComponent(`Halo ${PAGE_TOKENS.brand}, saya`)}`
    const page = pageTemplate(`<a href="${chat}">${PAGE_TOKENS.brand}</a> gratis ${PAGE_TOKENS.trialDays} hari`)
    expect(page(settings({ brand: 'Ruang & Tayang' }))).toBe(
      '<a href="https://wa.me/?text=Halo%20Ruang%20%26%20Tayang%2C%20saya">Ruang &amp; Tayang</a> gratis 7 hari',
    )
  })

  it('shows whatever a value is as that value, and never as markup', () => {
    const page = pageTemplate(`<p title="${PAGE_TOKENS.brand}">${PAGE_TOKENS.brand}</p>`)
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '$', 'a', ';', '⟦', 'brand', '⟧') }),
        (brand) => {
          const [, title = '', text = ''] =
            /^<p title="([^"<>]*)">([^<>"]*)<\/p>$/.exec(page(settings({ brand }))) ?? []
          expect([unescapeHtml(title), unescapeHtml(text)]).toEqual([brand, brand])
        },
      ),
    )
  })

  it('takes half a character within an address without falling over', () => {
    const page = pageTemplate(encodeURIComponent(PAGE_TOKENS.brand))
    expect(page(settings({ brand: '\ud83d' }))).toBe('%EF%BF%BD')
  })
})
