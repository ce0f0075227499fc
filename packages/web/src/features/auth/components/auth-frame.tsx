import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Card } from '../../../components/card.tsx'
import { Logo } from '../../../components/logo.tsx'
import { Particles } from './particles.tsx'

interface AuthFrameProps {
  title: string
  lead: string
  /** 'Sudah punya akun?' and where that leads. */
  other: { question: string; label: string; path: string; onFollow?: () => void }
  children: ReactNode
}

export function AuthFrame({ title, lead, other, children }: AuthFrameProps) {
  return (
    <div className="relative grid min-h-dvh place-items-center overflow-hidden px-4 py-10">
      <Particles />
      <div className="relative w-full max-w-[26rem]">
        <Link to="/" className="mx-auto mb-4 flex min-h-11 w-fit items-center rounded-control">
          <Logo />
        </Link>
        <Card className="p-6 shadow-soft sm:p-8">
          <h1 className="text-xl font-bold">{title}</h1>
          <p className="mt-1 text-sm text-pretty text-ink-soft">{lead}</p>
          <div className="mt-6">{children}</div>
          <p className="mt-6 text-center text-sm text-ink-soft">
            {other.question}{' '}
            <Link
              to={other.path}
              {...(other.onFollow && { onClick: other.onFollow })}
              className="relative rounded font-semibold text-accent-ink underline-offset-4 after:absolute after:-inset-x-3 after:-inset-y-3 hover:underline"
            >
              {other.label}
            </Link>
          </p>
        </Card>
      </div>
    </div>
  )
}
