import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { BOTTOM_TABS, isHighlighted, LOGIN_TAB, type TabItem } from './menu.ts'
import { TabFace, tabStyle } from './tab-face.tsx'

function TabLink({ tab, forGuests = false }: { tab: TabItem; forGuests?: boolean }) {
  const highlighted = isHighlighted(useLocation().pathname, tab.path)
  return (
    <Link
      to={tab.path}
      data-guests={forGuests || undefined}
      aria-current={highlighted ? 'page' : undefined}
      className={tabStyle(highlighted)}
    >
      <TabFace tab={tab} />
    </Link>
  )
}

/** The last tab of a guest. */
export const LoginTab = () => <TabLink tab={LOGIN_TAB} forGuests />

/** The tabs of small screens; the last one depends on who is there. */
export function BottomBar({ lastTab }: { lastTab: ReactNode }) {
  return (
    <nav
      aria-label="Menu bawah"
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-4 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {BOTTOM_TABS.map((tab) => (
        <TabLink key={tab.path} tab={tab} />
      ))}
      {lastTab}
    </nav>
  )
}
