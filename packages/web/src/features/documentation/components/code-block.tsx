import { Check, Copy } from 'lucide-react'
import { Button } from '../../../components/button.tsx'
import { useCopied } from '../../../lib/use-copied.ts'

interface CodeBlockProps {
  /** What it is: 'Terminal', 'Jawaban'. */
  label: string
  code: string
}

/** Code that can be taken along with one press. Long lines scroll inside, so that the page itself never does. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  const [copied, copy] = useCopied(code)
  const Icon = copied ? Check : Copy
  return (
    <figure className="code-block">
      <figcaption className="flex items-center justify-between gap-4 border-b border-line py-1 pr-1.5 pl-4 text-xs font-semibold text-ink-soft">
        {label}
        <Button look="quiet" size="small" aria-label={`Salin ${label}`} onClick={() => void copy()}>
          <Icon aria-hidden size={16} strokeWidth={1.75} />
          <span aria-live="polite">{copied ? 'Tersalin' : 'Salin'}</span>
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard could not scroll long lines */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
