import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'

interface DisclosureProps {
  label: string
  /** Open from the start: what is inside is not as it usually is. */
  open?: boolean
  children: ReactNode
}

/** What few people need, folded away. The browser's own, so that a search in the page opens it too. */
export function Disclosure({ label, open = false, children }: DisclosureProps) {
  const [atFirst] = useState(open)
  return (
    <details open={atFirst} className="group min-w-0">
      <summary className="-ml-2 inline-flex min-h-9 cursor-pointer list-none items-center gap-1.5 rounded-control px-2 text-sm font-semibold text-ink-soft select-none hover:bg-raised hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden
          size={16}
          strokeWidth={1.75}
          className="shrink-0 transition-transform group-open:rotate-180"
        />
        {label}
      </summary>
      <div className="mt-2 grid gap-4">{children}</div>
    </details>
  )
}
