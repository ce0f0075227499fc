import { ChevronDown, Play } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { classes } from '../../../lib/classes.ts'
import { formatDay } from '../../../lib/format.ts'
import type { Tutorial } from '../tutorials.ts'

/** '1:05' */
const moment = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

interface StepsProps {
  id: string
  steps: Tutorial['steps']
  onJump: (atSeconds: number) => void
}

function Steps({ id, steps, onJump }: StepsProps) {
  return (
    <ol id={id} className="-mx-3 mt-3 grid animate-appear">
      {steps.map(({ atSeconds, text }) => (
        <li key={atSeconds}>
          <button
            type="button"
            className="flex min-h-11 w-full items-baseline gap-4 rounded-control px-3 py-2.5 text-left text-sm transition-colors hover:bg-raised"
            onClick={() => onJump(atSeconds)}
          >
            <span className="w-9 shrink-0 font-semibold text-accent-ink tabular-nums">{moment(atSeconds)}</span>
            <span>{text}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** A video, what it is about, and, unfolded, its steps: each leads to its place in the video. */
export function TutorialCard({ tutorial }: { tutorial: Tutorial }) {
  const { title, description, date, embedUrl, poster, captions, seconds, steps } = tutorial
  const [expanded, setExpanded] = useState(false)
  const [started, setStarted] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  const stepsId = useId()

  const playFrom = (atSeconds: number): void => {
    if (!video.current) return
    video.current.currentTime = atSeconds
    // Refused where a page may not play by itself: the picture is at its place all the same.
    video.current.play().catch(() => {})
    video.current.scrollIntoView({ block: 'nearest' })
    video.current.focus({ preventScroll: true })
  }

  return (
    <Card className="grid overflow-clip lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="relative aspect-video self-start bg-black">
        <video
          ref={video}
          // Until it has begun, the browser's own controls would lie over the picture that stands for it.
          controls={started}
          playsInline
          muted
          preload="none"
          poster={poster}
          aria-label={title}
          className="size-full"
          onPlay={() => setStarted(true)}
        >
          <source src={embedUrl} type="video/mp4" />
          <track kind="captions" srcLang="id" label="Bahasa Indonesia" src={captions} />
        </video>
        {!started && (
          <button
            type="button"
            aria-label={`Putar video: ${title}`}
            className="group absolute inset-0 grid place-items-center -outline-offset-4"
            onClick={() => playFrom(0)}
          >
            <span className="grid size-16 place-items-center rounded-full bg-accent text-on-accent shadow-soft transition-transform group-hover:scale-110">
              <Play aria-hidden size={26} strokeWidth={1.75} className="ml-1 fill-current" />
            </span>
          </button>
        )}
      </div>
      <div className="p-6">
        <p className="text-sm text-ink-soft tabular-nums">
          <time dateTime={date}>{formatDay(date)}</time> · {moment(seconds)}
        </p>
        <h2 className="mt-2 text-lg font-bold">{title}</h2>
        <p className="mt-2 text-base text-ink-soft">{description}</p>
        <Button
          look="secondary"
          size="small"
          className="mt-4"
          aria-expanded={expanded}
          aria-controls={expanded ? stepsId : undefined}
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? 'Show less' : 'Read more'}
          <ChevronDown
            aria-hidden
            size={18}
            strokeWidth={1.75}
            className={classes('transition-transform', expanded && 'rotate-180')}
          />
        </Button>
        {expanded && <Steps id={stepsId} steps={steps} onJump={playFrom} />}
      </div>
    </Card>
  )
}
