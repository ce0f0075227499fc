import { Link, useNavigate } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Logo } from '../../../components/logo.tsx'

/** The brand's mark as the nought of 404, its lamp out: nothing is on air here. */
function Number404() {
  return (
    <p
      aria-hidden
      className="flex items-center justify-center gap-1 text-[7rem] leading-none font-extrabold text-ink-soft"
    >
      4
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-26">
        <circle cx="16" cy="16" r="4.5" className="fill-line-strong" />
        <path
          d="M9.2 9.2a9.6 9.6 0 0 0 0 13.6M22.8 9.2a9.6 9.6 0 0 1 0 13.6"
          fill="none"
          strokeWidth="2.4"
          strokeLinecap="round"
          className="stroke-line-strong"
        />
      </svg>
      4
    </p>
  )
}

export function NotFoundScreen() {
  const navigate = useNavigate()
  // A page that was opened in a new tab has nothing behind it.
  const goBack = (): void => void (window.history.length > 1 ? navigate(-1) : navigate('/'))
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] px-4">
      <div className="mx-auto flex h-14 w-full max-w-page items-center md:h-16 md:px-2">
        <Link to="/" className="inline-flex min-h-11 items-center rounded-control">
          <Logo />
        </Link>
      </div>
      <div className="grid max-w-[34rem] content-center justify-self-center pb-24 text-center">
        <Number404 />
        <h1 className="mt-6 text-xl font-bold md:text-2xl">Page Not Found</h1>
        <p className="mt-3 text-base text-balance text-ink-soft">
          Halaman yang Anda cari mungkin sudah dihapus, berganti nama, atau sedang tidak tersedia.
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <Link to="/" className={buttonStyle('primary')}>
            Back to Home
          </Link>
          <Button look="secondary" onClick={goBack}>
            Go Back
          </Button>
        </div>
      </div>
    </div>
  )
}
