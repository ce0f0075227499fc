import type { Video } from '@siarin/contracts/videos'
import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Card, CardHeading } from '../../../components/card.tsx'
import { classes } from '../../../lib/classes.ts'
import { firstSteps, type Step } from '../first-steps.ts'

type Place = 'done' | 'now' | 'later'

const LOOKS: Record<Place, string> = {
  done: 'bg-accent text-on-accent',
  now: 'border-2 border-accent-ink text-accent-ink',
  later: 'border border-line-strong text-ink-soft',
}

function StepRow({ step, number, place }: { step: Step; number: number; place: Place }) {
  return (
    <li className="flex min-w-0 gap-3" aria-current={place === 'now' ? 'step' : undefined}>
      <span
        className={classes(
          'grid size-8 shrink-0 place-items-center rounded-full text-sm font-bold tabular-nums',
          LOOKS[place],
        )}
      >
        {step.done ? <Check aria-label="Selesai" size={18} strokeWidth={2.5} /> : number}
      </span>
      <div className="min-w-0 pt-1">
        <h3 className={classes('text-sm font-bold', place === 'later' && 'text-ink-soft')}>{step.title}</h3>
        <p className="mt-0.5 text-sm break-words text-ink-soft">{step.text}</p>
      </div>
    </li>
  )
}

/** Stands where the broadcasts will, until there has been one. */
export function FirstStepsCard({ videos }: { videos: readonly Video[] }) {
  const steps = firstSteps(videos)
  const now = steps.findIndex(({ done }) => !done)
  return (
    <Card className="grid gap-5 p-6 md:grid-cols-[1fr_auto]">
      <CardHeading title="Tiga langkah ke siaran pertama" />
      <ol className="grid gap-5 md:col-span-2 md:grid-cols-3">
        {steps.map((step, index) => (
          <StepRow
            key={step.title}
            step={step}
            number={index + 1}
            place={step.done ? 'done' : index === now ? 'now' : 'later'}
          />
        ))}
      </ol>
      <Link to="/fitur/live" className={buttonStyle('primary', 'normal', 'md:col-start-2 md:row-start-1')}>
        {steps[0]?.done ? 'Buka Live' : 'Upload video'}
      </Link>
    </Card>
  )
}
