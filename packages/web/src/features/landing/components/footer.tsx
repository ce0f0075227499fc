import { Link } from 'react-router'
import { Logo } from '../../../components/logo.tsx'
import { ThemeSwitch } from '../../../components/theme-switch.tsx'
import { settings } from '../../../lib/settings.ts'

const LINKS = [
  { label: 'Dokumentasi', path: '/documentation' },
  { label: 'Login', path: '/login' },
  { label: 'Register', path: '/register' },
] as const

export function Footer() {
  return (
    <footer className="border-t border-line bg-card">
      <div className="mx-auto grid max-w-page gap-8 px-4 py-10 md:px-6">
        <div className="flex flex-col gap-6 md:flex-row md:items-center md:justify-between">
          <Logo />
          <nav aria-label="Tautan bawah" className="-mx-3 flex flex-wrap">
            {LINKS.map(({ label, path }) => (
              <Link
                key={path}
                to={path}
                className={
                  'flex h-11 items-center rounded-control px-3 text-sm font-semibold text-ink-soft hover:text-ink'
                }
              >
                {label}
              </Link>
            ))}
          </nav>
          <ThemeSwitch />
        </div>
        <p className="text-sm text-ink-soft">
          © {settings().year} {settings().brand}. Studio kecil yang tidak pernah tidur.
        </p>
      </div>
    </footer>
  )
}
