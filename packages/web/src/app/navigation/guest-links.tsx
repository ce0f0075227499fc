import { Link, useLocation } from 'react-router'
import { buttonStyle } from '../../components/button-styles.ts'
import { isHighlighted } from './menu.ts'

export function GuestLinks() {
  const { pathname } = useLocation()
  const current = (path: string) => (isHighlighted(pathname, path) ? 'page' : undefined)
  return (
    <>
      <Link to="/login" aria-current={current('/login')} className={buttonStyle('quiet', 'small')}>
        Login
      </Link>
      <Link to="/register" aria-current={current('/register')} className={buttonStyle('primary', 'small')}>
        Register
      </Link>
    </>
  )
}
