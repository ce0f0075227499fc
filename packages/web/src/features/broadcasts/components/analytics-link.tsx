import { Link } from 'react-router'

/** To the whole story of a broadcast, with its charts. */
export const AnalyticsLink = ({ id }: { id: string }) => (
  <Link
    to={`/fitur/analytics/${encodeURIComponent(id)}`}
    className="z-1 inline-flex min-h-6 items-center justify-self-start text-xs font-semibold text-accent-ink underline pointer-coarse:min-h-11"
  >
    Lihat analitik
  </Link>
)
