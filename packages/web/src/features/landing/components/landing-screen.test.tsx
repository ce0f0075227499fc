import { PLANS, planFeatures } from '@siarin/contracts/plans'
import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { openApp } from '../../../testing/app.tsx'

const SECTIONS = {
  features: { entries: 'li h3', count: 6 },
  pricing: { entries: 'article', count: 4 },
  testimonials: { entries: 'blockquote', count: 3 },
  statistics: { entries: 'dd', count: 4 },
  steps: { entries: 'ol > li', count: 3 },
  faq: { entries: 'details', count: 5 },
}

const OFFERS = {
  'Free Trial': { price: 'Rp 0', former: null, badge: null, facts: ['1 siaran bersamaan', '720p', '24 jam'] },
  Starter: { price: 'Rp 49.000', former: 'Rp 75.000', badge: 'HEMAT 35%', facts: ['3 siaran', '1080p', '7 hari'] },
  'Creator Pro': {
    price: 'Rp 99.000',
    former: 'Rp 150.000',
    badge: 'TERLARIS',
    facts: ['6 siaran', '1080p 60fps', '30 hari', 'Siaran terjadwal otomatis', 'Moderasi chat dengan AI'],
  },
  Business: {
    price: 'Rp 169.000',
    former: 'Rp 225.000',
    badge: 'HEMAT 25%',
    facts: ['10 siaran', '4K', '1 tahun', 'Akses API penuh', 'White label'],
  },
}

const texts = (place: Element, selector: string): (string | null)[] =>
  [...place.querySelectorAll(selector)].map(({ textContent }) => textContent)

function section(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`There is no section #${id}.`)
  return found
}

describe('the landing page', () => {
  beforeEach(async () => {
    await openApp('/', { as: 'guest' })
    await screen.findByText('Konsultasi dengan Tim Kami')
  })

  it('[LAND-01] [LAND-02] has all its sections with their entries, a final call and a consultation, but no picture', () => {
    for (const [id, { entries, count }] of Object.entries(SECTIONS)) {
      expect(section(id).querySelectorAll('h2'), id).toHaveLength(1)
      expect(section(id).querySelectorAll(entries), id).toHaveLength(count)
    }
    expect(section('testimonials').textContent).toContain('RP')
    screen.getByRole('region', { name: /begadang/ })
    expect(screen.getByText('Konsultasi dengan Tim Kami').closest('a')?.getAttribute('href')).toBe('#')
    expect(document.querySelector('main img')).toBeNull()
  })

  it('[LAND-03] [PLAN-04] shows price, former price, badge and features of each plan, with how long recordings are kept, and for whom it is', () => {
    for (const [name, { price, former, badge, facts }] of Object.entries(OFFERS)) {
      const card = screen.getByRole('article', { name })
      within(card).getByText(price)
      expect(texts(card, 's'), name).toEqual(former ? [former] : [])
      if (badge) within(card).getByText(badge)
      const features = texts(card, 'li')
      for (const fact of facts) expect(features.join('\n'), name).toContain(fact)
      const offer = PLANS.find((plan) => plan.name === name)
      expect(features, name).toEqual(offer && planFeatures(offer))
      expect(card.textContent, name).toContain(`Cocok untuk ${offer?.recommendedFor}`)
    }
  })

  it('[LAND-05] [LAND-06] names in its feature cards what the product does, and has the statistics', () => {
    expect(texts(section('features'), 'h3')).toEqual([
      'Banyak platform',
      'Siaran terjadwal',
      'Rekaman HD di cloud',
      'Hingga 4K',
      'Analitik real-time',
      'API dan webhook',
    ])
    const pairs = texts(section('statistics'), 'dl > div')
    const facts = [/pengguna aktif.*10K\+/s, /uptime.*99\.9%/s, /jam siaran.*5M\+/s, /platform.*15\+/s]
    expect(pairs).toEqual(facts.map((fact) => expect.stringMatching(fact)))
  })
})
