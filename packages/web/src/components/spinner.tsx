import { LoaderCircle } from 'lucide-react'

/** Decoration beside a text that already says what is going on. */
export function Spinner({ size = 18 }: { size?: number }) {
  return <LoaderCircle aria-hidden className="animate-spin" data-testid="spinner" size={size} strokeWidth={2} />
}
