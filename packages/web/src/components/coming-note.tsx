import type { LucideIcon } from 'lucide-react'
import { Card } from './card.tsx'

/** A screen that is not built yet says so in one honest sentence. */
export function ComingNote({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <Card className="flex items-start gap-4 p-6">
      <span className="grid size-11 shrink-0 place-items-center rounded-control bg-accent-wash text-accent-ink">
        <Icon aria-hidden size={20} strokeWidth={1.75} />
      </span>
      <p className="max-w-text self-center text-base text-ink-soft">{text}</p>
    </Card>
  )
}
