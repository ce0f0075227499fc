import { CirclePause } from 'lucide-react'
import { Card } from '../../components/card.tsx'
import { PlanLink } from '../../components/plan-link.tsx'
import type { KnownStanding } from './api/standing.ts'
import { ContactLink } from './components/contact-link.tsx'
import { keptWords, reasonWords, stoppedWords } from './standing-words.ts'

/** Stands where a screen's content would, for somebody whose every call is refused: nothing is asked and nothing fails. */
export function AccessStopped({ standing }: { standing: KnownStanding }) {
  const { title, text } = stoppedWords(standing)
  const kept = keptWords(standing, Date.now() + standing.clockBehindMs)
  const reason = reasonWords(standing)
  const suspended = standing.state === 'suspended'
  return (
    <Card className="grid justify-items-center gap-4 px-6 py-12 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-warn-wash text-warn-ink">
        <CirclePause aria-hidden size={20} strokeWidth={1.75} />
      </span>
      <div className="grid max-w-[56ch] gap-2">
        <h2 className="text-base font-bold">{title}</h2>
        <p className="text-sm text-pretty text-ink-soft">{text}</p>
        {reason && <p className="text-sm font-medium text-pretty break-words">{reason}</p>}
        {kept && <p className="text-sm font-medium text-pretty">{kept}</p>}
      </div>
      <div className="flex flex-wrap justify-center gap-3">
        <ContactLink look={suspended ? 'primary' : 'secondary'} />
        <PlanLink look={suspended ? 'secondary' : 'primary'} />
      </div>
    </Card>
  )
}
