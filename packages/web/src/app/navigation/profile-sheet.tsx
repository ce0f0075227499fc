import { CircleUserRound, LogOut } from 'lucide-react'
import { Link } from 'react-router'
import { Sheet } from '../../components/sheet.tsx'
import { useLogout } from '../../features/auth/api/use-logout.ts'

const ROW = 'flex h-12 w-full items-center gap-3 rounded-control px-4 text-left text-base font-semibold hover:bg-raised'

interface ProfileSheetProps {
  open: boolean
  onClose: () => void
}

/** What the mobile Profile tab opens. */
export function ProfileSheet({ open, onClose }: ProfileSheetProps) {
  const logout = useLogout()
  return (
    <Sheet open={open} onClose={onClose} label="Menu profile">
      <ul>
        <li>
          <Link to="/profile" className={ROW} onClick={onClose}>
            <CircleUserRound aria-hidden size={20} strokeWidth={1.75} />
            My Profile
          </Link>
        </li>
        <li>
          <button
            type="button"
            className={ROW}
            onClick={() => {
              onClose()
              void logout()
            }}
          >
            <LogOut aria-hidden size={20} strokeWidth={1.75} />
            Logout
          </button>
        </li>
      </ul>
    </Sheet>
  )
}
