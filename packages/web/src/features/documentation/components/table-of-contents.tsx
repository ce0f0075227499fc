import { ChevronDown } from 'lucide-react'
import type { Section } from '../articles/section.ts'
import { useSectionInView } from '../use-section-in-view.ts'

interface TableOfContentsProps {
  sections: readonly Section[]
}

const LABEL = 'Di halaman ini'

function Links({ sections, current }: TableOfContentsProps & { current: string | null }) {
  return (
    <ol className="grid text-sm">
      {sections.map(({ id, title }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            aria-current={current === id ? 'location' : undefined}
            className="flex items-center border-l-2 border-line py-1.5 pl-4 max-lg:min-h-11 text-ink-soft transition-colors hover:text-ink aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-accent-ink"
          >
            {title}
          </a>
        </li>
      ))}
    </ol>
  )
}

/** Beside the text where there is room, and it shows where one is. */
export function SideContents({ sections }: TableOfContentsProps) {
  const current = useSectionInView(sections.map(({ id }) => id))
  return (
    <nav aria-label={LABEL} className="sticky top-24 max-lg:hidden">
      <p className="mb-3 text-sm font-bold">{LABEL}</p>
      <Links sections={sections} current={current} />
    </nav>
  )
}

/** Above the text on a phone, folded. */
export function FoldedContents({ sections }: TableOfContentsProps) {
  return (
    <details className="group mt-6 rounded-card border border-line bg-card lg:hidden">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-4 px-4 py-2 text-sm font-bold">
        {LABEL}
        <ChevronDown
          aria-hidden
          size={18}
          strokeWidth={1.75}
          className="text-ink-soft transition-transform group-open:rotate-180"
        />
      </summary>
      <nav aria-label={LABEL} className="px-4 pb-4">
        <Links sections={sections} current={null} />
      </nav>
    </details>
  )
}
