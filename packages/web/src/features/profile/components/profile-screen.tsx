import type { Profile } from '@siarin/contracts/auth'
import { useQuery } from '@tanstack/react-query'
import { LogOut, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Page } from '../../../components/page.tsx'
import { formatDay, formatMoment, formatNumber } from '../../../lib/format.ts'
import { SessionEndedError, serverMessage } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { NoProfileError } from '../../../lib/own-profile.ts'
import { useLogout } from '../../auth/api/use-logout.ts'
import { profileQuery } from '../api/profile.ts'
import { ApiKeyBox } from './api-key-box.tsx'

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="text-sm font-bold">{title}</h2>
      <dl className="mt-2 divide-y divide-line">{children}</dl>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-3">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="min-w-0 text-sm font-medium break-words tabular-nums">{children}</dd>
    </div>
  )
}

function LogoutButton() {
  const logout = useLogout()
  const [busy, setBusy] = useState(false)
  return (
    <Button
      look="danger"
      disabled={busy}
      onClick={() => {
        setBusy(true)
        void logout().finally(() => setBusy(false))
      }}
    >
      <LogOut aria-hidden size={18} strokeWidth={1.75} />
      Logout
    </Button>
  )
}

function LoadedProfile({ profile }: { profile: Profile }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card className="p-6">
        <div className="flex items-center gap-4">
          <span
            aria-hidden
            data-testid="avatar"
            className="grid size-16 shrink-0 place-items-center rounded-full bg-accent-wash text-xl font-bold text-accent-ink"
          >
            {[...profile.username][0]?.toUpperCase() ?? 'U'}
          </span>
          <div className="min-w-0">
            <p className="truncate text-lg font-bold">{profile.username}</p>
            <p className="truncate text-sm text-ink-soft">{profile.email}</p>
          </div>
        </div>
        <div className="mt-6 grid gap-6">
          <Facts title="Account Information">
            <Fact name="Username">{profile.username}</Fact>
            <Fact name="Email">{profile.email}</Fact>
            <Fact name="Member since">{formatDay(profile.createdAt)}</Fact>
          </Facts>
          <Facts title="Account Status">
            <Fact name="Credits">{formatNumber(profile.credit)}</Fact>
            <Fact name="Last login">{formatMoment(profile.activeSession?.lastLogin)}</Fact>
          </Facts>
        </div>
        <div className="mt-4">
          <LogoutButton />
        </div>
      </Card>
      <ApiKeyBox apiKey={profile.apiKey} />
    </div>
  )
}

function Skeleton() {
  return (
    <div role="status" className="grid gap-6 lg:grid-cols-2">
      <span className="sr-only">Memuat profil…</span>
      <div className="h-96 rounded-card border border-line bg-card" />
      <div className="h-48 rounded-card border border-line bg-card" />
    </div>
  )
}

function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const text =
    error instanceof NoProfileError
      ? error.message
      : (serverMessage(error) ?? 'Failed to load profile data. Please try again.')
  return (
    <Card role="alert" className="flex flex-wrap items-center gap-4 p-6">
      <TriangleAlert aria-hidden size={20} strokeWidth={1.75} className="shrink-0 text-warn-ink" />
      <p className="min-w-0 flex-1 text-sm">{text}</p>
      <Button look="secondary" onClick={onRetry}>
        Try Again
      </Button>
    </Card>
  )
}

export function ProfileScreen() {
  const { data, error, refetch } = useQuery(profileQuery())
  const failure = error instanceof SessionEndedError ? null : error

  useEffect(() => {
    if (failure) logError('The profile could not be loaded', failure)
  }, [failure])

  return (
    <Page title="Profile">
      {data ? (
        <LoadedProfile profile={data} />
      ) : failure ? (
        <LoadError error={failure} onRetry={refetch} />
      ) : (
        <Skeleton />
      )}
    </Page>
  )
}
