import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet, useNavigate } from 'react-router'
import { DialogHost } from '../../components/dialog-host.tsx'
import { Toaster } from '../../components/toaster.tsx'
import { onSessionEnded } from '../../lib/http.ts'
import { notifyWarning } from '../../lib/notify.ts'
import { useAskedProof } from '../../lib/proof.ts'
import { getSession, onSessionChanged, personOf } from '../../lib/session.ts'
import { HOME_OF_GUESTS } from '../guards.ts'

const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // A failure is shown at once with a way to try again. 'always': being offline is such a failure, not a reason to wait in silence.
      // The network's return is a good moment to try again by itself.
      queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false, refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })

/** What one person fetched is never shown to the next. */
function useOwnDataOnly(queryClient: QueryClient): void {
  useEffect(() => {
    let person = personOf(getSession())
    return onSessionChanged(() => {
      if (personOf(getSession()) === person) return
      person = personOf(getSession())
      queryClient.clear()
    })
  }, [queryClient])
}

/** Few ever see it: its code comes when it is asked for. */
const PasswordPrompt = lazy(() => import('../../features/auth/password-prompt.tsx'))

/** What every screen but the landing page needs: data from the server, dialogs, toasts. */
export function AppLayout() {
  const [queryClient] = useState(createQueryClient)
  const navigate = useNavigate()
  const askedProof = useAskedProof()
  useOwnDataOnly(queryClient)

  useEffect(
    () =>
      onSessionEnded((message) => {
        void navigate(HOME_OF_GUESTS)
        notifyWarning('Session Ended', message)
      }),
    [navigate],
  )

  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
      <DialogHost />
      {askedProof && (
        <Suspense>
          <PasswordPrompt asked={askedProof} />
        </Suspense>
      )}
      <Toaster />
    </QueryClientProvider>
  )
}
