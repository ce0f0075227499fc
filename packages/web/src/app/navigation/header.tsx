import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Logo } from '../../components/logo.tsx'

/** Desktop: logo and menus. Mobile: a top bar with the logo; the tabs are in the bottom bar. */
export function Header({ children }: { children: ReactNode }) {
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-card">
      <div className="mx-auto flex h-14 max-w-page items-center gap-4 px-4 md:h-16 md:px-6">
        <Link to="/" className="inline-flex min-h-11 shrink-0 items-center rounded-control">
          <Logo />
        </Link>
        <div className="ml-auto flex min-w-0 items-center gap-1">{children}</div>
      </div>
    </header>
  )
}
