import type { SessionUser } from '@siarin/contracts/auth'
import { type PublicSettings, SETTINGS_ELEMENT_ID } from '@siarin/contracts/settings'
import { render } from '@testing-library/react'
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { routes } from '../app/routes.tsx'
import { startSession } from '../lib/session.ts'
import { loadSettings } from '../lib/settings.ts'
import { SETTINGS, TOKEN, USER } from './default-answers.ts'
import { createFakeServer, type FakeServer } from './fake-server.ts'

export interface App {
  readonly server: FakeServer
  readonly user: UserEvent
  readonly path: () => string
  readonly fill: (field: HTMLElement, text: string) => Promise<void>
}

interface Visit {
  /** Whether somebody is logged in. */
  readonly as?: 'guest' | 'member'
  /** What the browser kept of the member. */
  readonly kept?: SessionUser
  /** What differs from the usual settings of the server. */
  readonly settings?: Partial<PublicSettings>
  /** Prepares what the server answers before the page asks. */
  readonly server?: (server: FakeServer) => void
}

/** The whole app at a path, as `main.tsx` starts it, in front of a server that answers as it is told. */
export async function openApp(path: string, visit: Visit = {}): Promise<App> {
  const { as = 'member', kept = USER, server: prepare } = visit
  const settings = document.createElement('script')
  settings.id = SETTINGS_ELEMENT_ID
  settings.type = 'application/json'
  settings.textContent = JSON.stringify({ ...SETTINGS, ...visit.settings })
  document.head.append(settings)
  await loadSettings()

  const server = createFakeServer()
  prepare?.(server)
  if (as === 'member') startSession(TOKEN, kept)
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  // The screen's code comes in the machine's own time, which a held clock does not wait for.
  await new Promise<void>((resolve) => {
    const settle = ({ initialized }: { initialized: boolean }): void => void (initialized && resolve())
    router.subscribe(settle)
    settle(router.state)
  })
  render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
  // Without the pause of a person between two keys: a held clock would never end it. And without the look whether a pointer reaches the
  // element: a dialog that has just opened lets none in for a moment, and waiting for that is the person's. The journeys prove that one does.
  const user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never })
  return {
    server,
    user,
    path: () => router.state.location.pathname,
    fill: async (field, text) => {
      await user.clear(field)
      await user.click(field)
      await user.paste(text)
    },
  }
}
