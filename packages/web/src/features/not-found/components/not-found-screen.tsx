import { Link, useNavigate } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Logo } from '../../../components/logo.tsx'

export function NotFoundScreen() {
  const navigate = useNavigate()
  return (
    <div className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="max-w-[34rem] text-center">
        <div className="flex justify-center">
          <Logo />
        </div>
        <p aria-hidden className="mt-10 text-3xl font-bold text-ink-soft tabular-nums">
          404
        </p>
        <h1 className="mt-2 text-xl font-bold">Page Not Found</h1>
        <p className="mt-2 text-base text-ink-soft">
          The page you are looking for might have been removed, renamed, or is temporarily unavailable.
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <Link to="/" className={buttonStyle('primary')}>
            Back to Home
          </Link>
          <Button look="secondary" onClick={() => void navigate(-1)}>
            Go Back
          </Button>
        </div>
      </div>
    </div>
  )
}
