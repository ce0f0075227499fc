import { TriangleAlert } from 'lucide-react'
import { Button } from './button.tsx'

interface ErrorStateProps {
  /** What went wrong, in the words of the specification or the server. */
  text: string
  onRetry: () => void
  retryLabel?: string
}

/** Stands where the content would: what went wrong and the way to try again. */
export function ErrorState({ text, onRetry, retryLabel = 'Coba lagi' }: ErrorStateProps) {
  return (
    <div role="alert" className="grid justify-items-center gap-4 px-6 py-12 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-warn-wash text-warn-ink">
        <TriangleAlert aria-hidden size={20} strokeWidth={1.75} />
      </span>
      <p className="max-w-[40ch] text-sm break-words">{text}</p>
      <Button look="secondary" size="small" onClick={onRetry}>
        {retryLabel}
      </Button>
    </div>
  )
}
