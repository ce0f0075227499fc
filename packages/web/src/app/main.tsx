import '../styles/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { logError } from '../lib/log.ts'
import { onSessionChangedElsewhere } from '../lib/session.ts'
import { loadSettings } from '../lib/settings.ts'
import { followTheme } from '../lib/theme.ts'
import { typefaceIsHere } from '../lib/typeface.ts'
import { routes } from './routes.tsx'

function start(root: HTMLElement): void {
  const router = createBrowserRouter(routes)
  // The guards decide anew who may be where.
  onSessionChangedElsewhere(() => void router.revalidate())
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')

followTheme()
try {
  await Promise.all([loadSettings(), typefaceIsHere()])
  start(root)
} catch (error) {
  logError('The app could not start', error)
  root.textContent = 'Server belum bisa dihubungi. Muat ulang halaman ini sebentar lagi.'
  root.style.padding = '2rem'
}
