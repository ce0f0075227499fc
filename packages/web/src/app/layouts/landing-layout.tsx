import { LoginTab } from '../navigation/bottom-bar.tsx'
import { GuestMenus } from '../navigation/guest-menus.tsx'
import { PageFrame } from './page-frame.tsx'

/** The main layout as a guest sees it, without the code of what only members have: the landing page must come up fast. */
export function LandingLayout() {
  return <PageFrame menus={<GuestMenus />} lastTab={<LoginTab />} />
}
