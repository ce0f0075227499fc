import type { Profile } from '@siarin/contracts/auth'
import { planName } from '@siarin/contracts/plans'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Page } from '../../../components/page.tsx'
import { PlanLink } from '../../../components/plan-link.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { firstLetter } from '../../../lib/first-letter.ts'
import { formatDay, formatMoment } from '../../../lib/format.ts'
import { SessionEndedError, serverMessage } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { rupiah } from '../../../lib/offer.ts'
import { NoProfileError } from '../../../lib/own-profile.ts'
import { useLogout } from '../../../lib/use-logout.ts'
import { useStanding } from '../../standing/api/standing.ts'
import { dateFact } from '../../standing/standing-words.ts'
import { StateBadge } from '../../standing/state-badge.tsx'
import { profileQuery } from '../api/profile.ts'
import { VerifyStrip } from '../verify-strip.tsx'
import { ApiKeyBox } from './api-key-box.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { SettingsCard } from './settings-card.tsx'

const FACT_ROWS = ['username', 'email', 'since', 'plan', 'credits', 'login'] as const

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
  const standing = useStanding()
  const date = standing && dateFact(standing)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card className="min-w-0 p-6">
        <div className="flex items-center gap-4">
          <span
            aria-hidden
            data-testid="avatar"
            className="grid size-16 shrink-0 place-items-center rounded-full bg-accent-wash text-xl font-bold text-accent-ink"
          >
            {firstLetter(profile.username) || 'U'}
          </span>
          <div className="min-w-0">
            <p dir="auto" className="truncate text-left text-lg font-bold">
              {profile.username}
            </p>
            <p className="truncate text-sm text-ink-soft">{profile.email}</p>
          </div>
        </div>
        <div className="mt-6 grid gap-6">
          <Facts title="Account Information">
            <Fact name="Username">
              <bdi>{profile.username}</bdi>
            </Fact>
            <Fact name="Email">{profile.email}</Fact>
            <Fact name="Member since">{formatDay(profile.createdAt)}</Fact>
          </Facts>
          <Facts title="Account Status">
            <Fact name="Paket">
              {planName(profile.plan)}{' '}
              {standing && standing.state !== 'active' && <StateBadge state={standing.state} />}
            </Fact>
            {date && <Fact name={date.name}>{formatMoment(date.at)}</Fact>}
            <Fact name="Credits">{rupiah(profile.credit)}</Fact>
            <Fact name="Last login">{formatMoment(profile.activeSession?.lastLogin)}</Fact>
          </Facts>
        </div>
        <div className="mt-4 flex flex-wrap gap-3">
          <PlanLink look="secondary" />
          <LogoutButton />
        </div>
      </Card>
      <div className="grid min-w-0 gap-6">
        <ApiKeyBox apiKey={profile.apiKey} hidden={profile.apiKeyHidden ?? false} />
        <SecondFactorCard />
        <SessionsCard />
        <SettingsCard username={profile.username} />
      </div>
    </div>
  )
}

/** In the shape of what comes. */
function LoadingProfile() {
  return (
    <Loading className="grid items-start gap-6 lg:grid-cols-2">
      <Card className="p-6">
        <div className="flex items-center gap-4">
          <Skeleton className="size-16 rounded-full!" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-6 w-2/5" />
            <Skeleton className="h-4 w-3/5" />
          </div>
        </div>
        <div className="mt-6 grid gap-4">
          {FACT_ROWS.map((row) => (
            <Skeleton key={row} className="h-8" />
          ))}
        </div>
      </Card>
      <Card className="p-6">
        <Skeleton className="h-6 w-1/4" />
        <Skeleton className="mt-4 h-11" />
        <Skeleton className="mt-4 h-11 w-2/5" />
      </Card>
    </Loading>
  )
}

const loadFailure = (error: Error): string =>
  error instanceof NoProfileError
    ? error.message
    : (serverMessage(error) ?? 'Failed to load profile data. Please try again.')

/** What the operator changes, such as credits, shows without logging in again. */
const PROFILE_POLL_MS = 5000

export function ProfileScreen() {
  // An answer that was asked for before a change would bring back what the change has replaced.
  const changing = useIsMutating() > 0
  const { data, error, refetch } = useQuery({ ...profileQuery(), refetchInterval: !changing && PROFILE_POLL_MS })
  const failure = error instanceof SessionEndedError ? null : error

  useEffect(() => {
    if (failure) logError('The profile could not be loaded', failure)
  }, [failure])

  return (
    <Page title="Profile">
      <VerifyStrip />
      {data ? (
        <LoadedProfile profile={data} />
      ) : failure ? (
        <Card>
          <ErrorState text={loadFailure(failure)} onRetry={() => void refetch()} retryLabel="Try Again" />
        </Card>
      ) : (
        <LoadingProfile />
      )}
    </Page>
  )
}
