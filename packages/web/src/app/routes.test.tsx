import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openApp } from '../testing/app.tsx'

const GUESTS_ONLY = ['/', '/register', '/login']
const MEMBERS_ONLY = [
  '/dashboard',
  '/fitur',
  '/fitur/live',
  '/fitur/siaran',
  '/fitur/analytics',
  '/fitur/analytics/laporan',
  '/fitur/analytics/satu-siaran',
  '/fitur/rekaman',
  '/fitur/account',
  '/fitur/target',
  '/fitur/jadwal',
  '/fitur/playlist',
  '/fitur/branding',
  '/fitur/notifikasi',
  '/fitur/webhook',
  '/fitur/tutorial',
  '/profile',
  '/profile/plan',
]

describe('a guard', () => {
  it.each(GUESTS_ONLY)('[META-02] sends a logged-in user who opens %s to Dashboard', async (opened) => {
    const { path } = await openApp(opened)
    await waitFor(() => expect(path()).toBe('/dashboard'))
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toMatch(/^Welcome back/)
  })

  it.each(MEMBERS_ONLY)('[META-02] sends a logged-out user who opens %s to Login', async (opened) => {
    const { path } = await openApp(opened, { as: 'guest' })
    await waitFor(() => expect(path()).toBe('/login'))
    await screen.findByRole('heading', { level: 1, name: 'Login' })
  })
})

describe('Captcha Text', () => {
  it('[DOCS-02] is a page with only that heading', async () => {
    await openApp('/documentation/captcha/text', { as: 'guest' })
    const area = screen.getByRole('main')
    expect((await within(area).findByRole('heading')).textContent).toBe('Captcha Text')
    expect(area.textContent).toBe('Captcha Text')
    expect(area.querySelector('img, video, input, button, a')).toBeNull()
  })
})
