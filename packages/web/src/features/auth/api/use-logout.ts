import { useNavigate } from 'react-router'
import { SessionEndedError } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { notifySuccess, notifyWarning } from '../../../lib/notify.ts'
import { clearSession } from '../../../lib/session.ts'
import { logout } from './auth.ts'

/** Logs out at the server and, whatever it says, here. */
export function useLogout(): () => Promise<void> {
  const navigate = useNavigate()

  return async () => {
    const failure: unknown = await logout().then(
      () => null,
      (error: unknown) => error,
    )
    // The server had ended the session before: the person has been told and is on Login already.
    if (failure instanceof SessionEndedError) return

    clearSession()
    await navigate('/login')
    if (!failure) {
      notifySuccess('Logged Out Successfully')
      return
    }
    logError('Logout failed', failure)
    notifyWarning('Logout Issue', 'You have been logged out locally, but there was an issue with the server.')
  }
}
