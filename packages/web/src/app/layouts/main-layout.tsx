import { useSession } from '../../lib/session.ts'
import { LoginTab } from '../navigation/bottom-bar.tsx'
import { GuestMenus } from '../navigation/guest-menus.tsx'
import { MemberMenus } from '../navigation/member-menus.tsx'
import { ProfileTab } from '../navigation/profile-tab.tsx'
import { PageFrame } from './page-frame.tsx'

export function MainLayout() {
  const loggedIn = useSession().token !== null
  return (
    <PageFrame menus={loggedIn ? <MemberMenus /> : <GuestMenus />} lastTab={loggedIn ? <ProfileTab /> : <LoginTab />} />
  )
}
