import '../styles/tokens.css'
import { StrictMode, startTransition } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, type DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { logError } from '../lib/log.ts'
import { isLoggedIn, onSessionChangedElsewhere } from '../lib/session.ts'
import { loadSettings } from '../lib/settings.ts'
import { followTheme } from '../lib/theme.ts'
import { typefaceIsHere } from '../lib/typeface.ts'
import { routes } from './routes.tsx'

/** Resolves when the guards have decided and the screen's code is here. */
const screenIsHere = (router: DataRouter): Promise<void> =>
  new Promise((resolve) => {
    const check = ({ initialized }: { initialized: boolean }): void => {
      if (initialized) resolve()
    }
    router.subscribe(check)
    check(router.state)
  })

/** before-first-paint.js has hidden what is for guests alone. */
const showToMembers = (): void => document.documentElement.classList.remove('member')

async function start(root: HTMLElement): Promise<void> {
  const router = createBrowserRouter(routes)
  // The guards decide anew who may be where.
  onSessionChangedElsewhere(() => void router.revalidate())
  const app = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  )
  const isOfGuests = 'guests' in root.dataset
  if (isOfGuests && isLoggedIn()) root.replaceChildren()
  if (!root.hasChildNodes()) {
    showToMembers()
    await typefaceIsHere()
    createRoot(root).render(app)
    return
  }
  // The prerendered page stands until the same can be shown again at once.
  await screenIsHere(router)
  if (!isLoggedIn() && router.state.errors === null) {
    const onRecoverableError = (error: unknown): void => logError('The page was not as it was made', error)
    // In small steps: a person who reads or scrolls already is not held up.
    startTransition(() => void hydrateRoot(root, app, { onRecoverableError }))
    // From here on React hears what is pressed, also where it has not come yet.
    dispatchEvent(new Event('code-is-here'))
    return
  }
  // It was made for guests: what a member sees is not the same.
  const fresh = createRoot(root)
  flushSync(() => fresh.render(app))
  showToMembers()
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')

followTheme()
try {
  await loadSettings()
  await start(root)
} catch (error) {
  logError('The app could not start', error)
  root.textContent = 'Server belum bisa dihubungi. Muat ulang halaman ini sebentar lagi.'
  root.style.padding = '2rem'
}
