import { CircleUserRound, LogOut } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Sheet } from '../../components/sheet.tsx'
import { ThemeSwitch } from '../../components/theme-switch.tsx'
import { useLogout } from '../../lib/use-logout.ts'
import { isHighlighted, PROFILE_TAB } from './menu.ts'
import { TabFace, tabStyle } from './tab-face.tsx'

const ROW = 'flex h-12 w-full items-center gap-3 rounded-control px-4 text-left text-base font-semibold hover:bg-raised'

/** The last tab of a member: opens a bottom sheet with what the Profile menu has on larger screens. */
export function ProfileTab() {
  const { pathname, key } = useLocation()
  const logout = useLogout()
  // The sheet belongs to the place where it was opened, so any change of route closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const open = openedAt === key
  const close = (): void => setOpenedAt(null)
  const highlighted = isHighlighted(pathname, PROFILE_TAB.path)

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-current={highlighted ? 'page' : undefined}
        className={tabStyle(highlighted || open)}
        onClick={() => setOpenedAt(key)}
      >
        <TabFace tab={PROFILE_TAB} />
      </button>
      <Sheet open={open} onClose={close} label="Menu profile">
        <ul>
          <li>
            <Link to="/profile" className={ROW} onClick={close}>
              <CircleUserRound aria-hidden size={20} strokeWidth={1.75} />
              My Profile
            </Link>
          </li>
          <li>
            <button
              type="button"
              className={ROW}
              onClick={() => {
                close()
                void logout()
              }}
            >
              <LogOut aria-hidden size={20} strokeWidth={1.75} />
              Logout
            </button>
          </li>
        </ul>
        <div className="mt-3 border-t border-line px-4 pt-4">
          <ThemeSwitch />
        </div>
      </Sheet>
    </>
  )
}
