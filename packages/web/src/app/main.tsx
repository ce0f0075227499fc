import '../styles/tokens.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { onSessionEnded } from '../lib/http.ts'
import { logError } from '../lib/log.ts'
import { notifyWarning } from '../lib/notify.ts'
import { onSessionChangedElsewhere } from '../lib/session.ts'
import { loadSettings } from '../lib/settings.ts'
import { followTheme } from '../lib/theme.ts'
import { HOME_OF_GUESTS } from './guards.ts'
import { routes } from './routes.tsx'

function start(root: HTMLElement): void {
  const queryClient = new QueryClient({
    defaultOptions: {
      // A failure is shown at once with a way to try again. 'always': being offline is such a failure, not a reason to wait in silence.
      queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  const router = createBrowserRouter(routes)

  onSessionEnded((message) => {
    queryClient.clear()
    void router.navigate(HOME_OF_GUESTS)
    notifyWarning('Session Ended', message)
  })
  onSessionChangedElsewhere(() => {
    queryClient.clear()
    void router.revalidate()
  })

  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')

followTheme()
try {
  await loadSettings()
  start(root)
} catch (error) {
  logError('The app could not start', error)
  root.textContent = 'Server belum bisa dihubungi. Muat ulang halaman ini sebentar lagi.'
  root.style.padding = '2rem'
}
