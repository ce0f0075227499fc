import { Link } from 'react-router'
import { Logo } from '../../components/logo.tsx'
import { useSession } from '../../lib/session.ts'
import { GuestLinks } from './guest-links.tsx'
import { HeaderTally } from './header-tally.tsx'
import { MemberMenus } from './member-menus.tsx'

/** Desktop: logo and menus. Mobile: a top bar with the logo; the tabs are in the bottom bar. */
export function Header() {
  const loggedIn = useSession().token !== null
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-card">
      <div className="mx-auto flex h-14 max-w-page items-center gap-4 px-4 md:h-16 md:px-6">
        <Link to="/" className="inline-flex rounded-control">
          <Logo />
        </Link>
        <div className="ml-auto flex items-center gap-3">
          {loggedIn && <HeaderTally />}
          <nav aria-label="Menu utama" className="hidden items-center gap-1 md:flex">
            {loggedIn ? <MemberMenus /> : <GuestLinks />}
          </nav>
        </div>
      </div>
    </header>
  )
}
