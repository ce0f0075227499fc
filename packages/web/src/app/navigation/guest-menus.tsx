import { Moon, Sun } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { Button } from '../../components/button.tsx'
import { buttonStyle } from '../../components/button-styles.ts'
import { chooseTheme, useTheme } from '../../lib/theme.ts'
import { isHighlighted } from './menu.ts'

/** From what is seen to the other one; a person who wants to follow the system again finds that in the footer and the menus. */
function ThemeToggle() {
  const { dark } = useTheme()
  return (
    <Button
      look="quiet"
      size="icon"
      data-guests
      aria-label={dark ? 'Pakai tema terang' : 'Pakai tema gelap'}
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
    >
      {/* By the style, which knows the theme before this code runs. */}
      <Moon aria-hidden size={20} strokeWidth={1.75} className="dark:hidden" />
      <Sun aria-hidden size={20} strokeWidth={1.75} className="hidden dark:block" />
    </Button>
  )
}

/** What a guest has in the header; on a phone Login is a tab of the bottom bar. */
export function GuestMenus() {
  const { pathname } = useLocation()
  const current = (path: string) => (isHighlighted(pathname, path) ? 'page' : undefined)
  return (
    <>
      <ThemeToggle />
      <nav data-guests aria-label="Menu utama" className="hidden items-center gap-1 md:flex">
        <Link to="/login" aria-current={current('/login')} className={buttonStyle('quiet', 'small')}>
          Login
        </Link>
        <Link to="/register" aria-current={current('/register')} className={buttonStyle('secondary', 'small')}>
          Register
        </Link>
      </nav>
    </>
  )
}
