import { redirect } from 'react-router'
import { isLoggedIn } from '../lib/session.ts'

/** Who may open a route. */
export type Access = 'guests' | 'members' | 'everyone'

const HOME_OF_MEMBERS = '/dashboard'
export const HOME_OF_GUESTS = '/login'

/**
 * Guards are loaders: they run before anything of the screen is shown, on every opening of the route and on `router.revalidate()`.
 * They are not reactive on purpose, or a login would be sent to Dashboard before it could go to Profile.
 */
export function guard(access: Access): () => null {
  return () => {
    if (access === 'guests' && isLoggedIn()) throw redirect(HOME_OF_MEMBERS)
    if (access === 'members' && !isLoggedIn()) throw redirect(HOME_OF_GUESTS)
    return null
  }
}
