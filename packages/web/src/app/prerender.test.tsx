import { act } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, describe, expect, it } from 'vitest'
import { SETTINGS } from '../testing/default-answers.ts'
import { createFakeServer } from '../testing/fake-server.ts'
import { PAGES, renderPage, unknownSettings } from './prerender.tsx'
import { routes } from './routes.tsx'

let root: Root | null = null
afterEach(() => {
  act(() => root?.unmount())
  document.body.replaceChildren()
})

/** Takes a prerendered page over as main.tsx does, and answers what React found to be different from what it made itself. */
async function takeOver(path: string, html: string): Promise<string[]> {
  createFakeServer()
  const container = document.createElement('div')
  container.innerHTML = html
  document.body.append(container)
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  await new Promise<void>((resolve) => {
    const check = ({ initialized }: { initialized: boolean }): void => void (initialized && resolve())
    router.subscribe(check)
    check(router.state)
  })
  const complaints: string[] = []
  const { error } = console
  console.error = (...words) => void complaints.push(words.join(' '))
  try {
    await act(async () => {
      const app = (
        <StrictMode>
          <RouterProvider router={router} />
        </StrictMode>
      )
      root = hydrateRoot(container, app, { onRecoverableError: (found) => void complaints.push(String(found)) })
    })
  } finally {
    console.error = error
  }
  // The server of these tests counts no readers, and articles say so.
  return complaints.filter((line) => !line.startsWith('The view could not be counted'))
}

const PRERENDERED = PAGES.filter(({ modules }) => modules !== null).map(({ path }) => path)

describe('a prerendered page', () => {
  it.each(PRERENDERED)('%s is taken over by the browser without a difference, down to the attributes', async (path) => {
    const html = await renderPage(path, SETTINGS)
    expect(html).toContain('<h1')
    expect(await takeOver(path.replace('*', '/not-found'), html)).toEqual([])
  })

  it('would be found out if it differed', async () => {
    const html = (await renderPage('/login', SETTINGS)).replace('Masuk untuk', 'Datang untuk')
    expect(await takeOver('/login', html)).not.toEqual([])
  })

  it.each(PRERENDERED)('%s says the same with tokens in the place of settings', async (path) => {
    const withTokens = await renderPage(path, unknownSettings({ sendsMail: SETTINGS.sendsMail, hasChat: true }))
    const filled = withTokens
      .replaceAll('⟦brand⟧', SETTINGS.brand)
      .replaceAll(encodeURIComponent('⟦brand⟧'), SETTINGS.brand)
      .replaceAll('⟦trialDays⟧', String(SETTINGS.trialDays))
      .replaceAll('⟦whatsappNumber⟧', SETTINGS.whatsappNumber)
      .replaceAll('⟦server⟧', SETTINGS.server)
      .replaceAll('⟦year⟧', String(SETTINGS.year))
    expect(filled).toBe(await renderPage(path, SETTINGS))
  })
})
