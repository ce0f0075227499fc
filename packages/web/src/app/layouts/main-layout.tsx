import { useStandingWatch } from '../../features/standing/use-standing-watch.ts'
import { useSession } from '../../lib/session.ts'
import { LoginTab } from '../navigation/bottom-bar.tsx'
import { GuestMenus } from '../navigation/guest-menus.tsx'
import { MemberMenus } from '../navigation/member-menus.tsx'
import { ProfileTab } from '../navigation/profile-tab.tsx'
import { PageFrame } from './page-frame.tsx'

function StandingWatch() {
  useStandingWatch()
  return null
}

export function MainLayout() {
  const { token } = useSession()
  if (token === null) return <PageFrame menus={<GuestMenus />} lastTab={<LoginTab />} />
  return (
    <>
      <PageFrame menus={<MemberMenus />} lastTab={<ProfileTab />} />
      {/* Keyed: what it knows is one person's. */}
      <StandingWatch key={token} />
    </>
  )
}
