import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { classes } from '../../lib/classes.ts'
import { useSession } from '../../lib/session.ts'
import { BOTTOM_TABS, isHighlighted, LOGIN_TAB, PROFILE_TAB, type TabItem } from './menu.ts'
import { ProfileSheet } from './profile-sheet.tsx'

const tabStyle = (highlighted: boolean): string =>
  classes(
    'flex min-h-14 flex-col items-center justify-center gap-0.5 text-xs font-semibold',
    highlighted ? 'text-accent-ink' : 'text-ink-soft',
  )

function TabFace({ tab }: { tab: TabItem }) {
  return (
    <>
      <tab.icon aria-hidden size={20} strokeWidth={1.75} />
      {tab.label}
    </>
  )
}

function TabLink({ tab }: { tab: TabItem }) {
  const highlighted = isHighlighted(useLocation().pathname, tab.path)
  return (
    <Link to={tab.path} aria-current={highlighted ? 'page' : undefined} className={tabStyle(highlighted)}>
      <TabFace tab={tab} />
    </Link>
  )
}

export function BottomBar() {
  const { pathname, key } = useLocation()
  const loggedIn = useSession().token !== null
  // The sheet belongs to the place where it was opened, so any change of route closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const sheetOpen = loggedIn && openedAt === key
  const onProfile = isHighlighted(pathname, PROFILE_TAB.path)

  return (
    <>
      <nav
        aria-label="Menu bawah"
        className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-4 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {BOTTOM_TABS.map((tab) => (
          <TabLink key={tab.path} tab={tab} />
        ))}
        {loggedIn ? (
          <button
            type="button"
            aria-haspopup="dialog"
            aria-expanded={sheetOpen}
            className={tabStyle(onProfile || sheetOpen)}
            onClick={() => setOpenedAt(key)}
          >
            <TabFace tab={PROFILE_TAB} />
          </button>
        ) : (
          <TabLink tab={LOGIN_TAB} />
        )}
      </nav>
      <ProfileSheet open={sheetOpen} onClose={() => setOpenedAt(null)} />
    </>
  )
}
