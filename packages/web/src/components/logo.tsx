import { settings } from '../lib/settings.ts'

/** The brand's mark (a lamp between two waves) with its name beside it. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-8 shrink-0">
        <rect width="32" height="32" rx="9" className="fill-[var(--teal-12)] dark:fill-[var(--teal-4)]" />
        <circle cx="16" cy="16" r="4.5" className="fill-white dark:fill-[var(--teal-12)]" />
        <path
          d="M9.2 9.2a9.6 9.6 0 0 0 0 13.6M22.8 9.2a9.6 9.6 0 0 1 0 13.6"
          fill="none"
          strokeWidth="2.4"
          strokeLinecap="round"
          className="stroke-[var(--teal-8)] dark:stroke-[var(--teal-11)]"
        />
      </svg>
      <span className="text-lg font-bold tracking-tight">{settings().brand}</span>
    </span>
  )
}
