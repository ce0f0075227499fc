import { Link } from 'react-router'
import { type ButtonLook, type ButtonSize, buttonStyle } from './button-styles.ts'

export function PlanLink({ look, size = 'normal' }: { look: ButtonLook; size?: ButtonSize }) {
  return (
    <Link to="/profile/plan" className={buttonStyle(look, size)}>
      Lihat paket
    </Link>
  )
}
