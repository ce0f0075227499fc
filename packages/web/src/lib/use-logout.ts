import { useNavigate } from 'react-router'
import { http, SessionEndedError } from './http.ts'
import { logError } from './log.ts'
import { notifySuccess, notifyWarning } from './notify.ts'
import { leavePush } from './own-push.ts'
import { clearSession } from './session.ts'

/** Logs out at the server and, whatever it says, here. */
export function useLogout(): () => Promise<void> {
  const navigate = useNavigate()

  return async () => {
    await leavePush()
    const failure: unknown = await http.post('/auth/logout').then(
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
