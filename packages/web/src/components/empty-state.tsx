import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon?: LucideIcon
  /** One sentence. */
  text: string
  /** One button or link that changes it. */
  action?: ReactNode
}

export function EmptyState({ icon: Icon, text, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-4 px-6 py-12 text-center">
      {Icon && (
        <span className="grid size-12 place-items-center rounded-full bg-raised text-ink-soft">
          <Icon aria-hidden size={20} strokeWidth={1.75} />
        </span>
      )}
      <p className="max-w-[40ch] text-sm text-ink-soft">{text}</p>
      {action}
    </div>
  )
}
