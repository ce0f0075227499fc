import type { Schedule, ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { dayNumber, wallTimeAt, weekdayOf } from '@siarin/contracts/schedules/wall-time'
import { useCallback, useState } from 'react'
import { classes } from '../../../lib/classes.ts'
import { usePhone } from '../../../lib/use-media.ts'
import { dateWords, shortDayName } from '../schedule-words.ts'
import type { ScheduleActions } from '../use-schedule-actions.ts'
import { DAY_MINUTES, type GridDay, keyOf, weekGrid } from '../week-grid.ts'
import { OccurrenceRow } from './occurrence-row.tsx'
import { WeekBlock } from './week-block.tsx'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const FIRST_SEEN_HOURS_BEFORE = 2
/** Inside the frame that scrolls: a scrollbar narrows the days and their names alike. */
const HEAD = 'sticky top-0 z-20 grid grid-cols-7 border-b border-line bg-card'

interface WeekViewProps {
  occurrences: readonly ScheduledOccurrence[]
  schedules: readonly Schedule[]
  dates: readonly string[]
  today: string
  zone: string
  nowMs: number
  actions: ScheduleActions
}

const share = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`

/** A hairline: the one thing in the grid that is not a broadcast. */
function NowLine({ minutes }: { minutes: number }) {
  return (
    <div
      aria-hidden
      data-testid="now-line"
      className="pointer-events-none absolute inset-x-0 z-10 border-t border-ink"
      style={{ top: share(minutes) }}
    />
  )
}

interface DayColumnProps {
  day: GridDay
  zone: string
  nowMinutes: number | null
  chosen: string | null
  onChoose: (key: string) => void
}

function DayColumn({ day, zone, nowMinutes, chosen, onChoose }: DayColumnProps) {
  return (
    <div className="relative min-w-0 border-l border-line">
      {HOURS.map((hour) => (
        <div key={hour} aria-hidden className="h-11 border-b border-line last:border-b-0" />
      ))}
      <ol aria-label={dateWords(day.date)} className="absolute inset-0">
        {day.blocks.map((block) => (
          <WeekBlock
            key={block.key}
            block={block}
            zone={zone}
            chosen={block.key === chosen}
            onChoose={() => onChoose(block.key)}
          />
        ))}
      </ol>
      {nowMinutes !== null && <NowLine minutes={nowMinutes} />}
    </div>
  )
}

/** 'Nov 2026': the day itself is seen. */
const monthWords = (date: string): string => dateWords(date).split(' ').slice(2).join(' ')

interface DayHeadProps {
  day: GridDay
  isToday: boolean
  /** On a phone: which day is seen is chosen here. */
  onPick: (() => void) | null
  picked: boolean
}

function DayHead({ day: { date, blocks, hidden }, isToday, onPick, picked }: DayHeadProps) {
  const name = shortDayName(weekdayOf(dayNumber(date)))
  const face = (
    <>
      <span className="text-xs">{name}</span>
      <span className={classes('text-sm tabular-nums', isToday && 'font-bold text-accent-ink')}>
        {Number(date.slice(8))}
      </span>
      {onPick ? (
        <span aria-hidden className={classes('size-1 rounded-full', blocks.length > 0 && 'bg-accent')} />
      ) : (
        hidden > 0 && <span className="text-xs text-ink-soft">+{hidden} di Daftar</span>
      )}
    </>
  )
  const look = 'grid min-h-12 min-w-0 content-center justify-items-center gap-0.5 py-1 font-semibold text-ink-soft'
  if (!onPick) return <div className={look}>{face}</div>
  return (
    <button
      type="button"
      aria-pressed={picked}
      className={classes(look, 'rounded-control transition-colors', picked && 'bg-raised text-ink')}
      onClick={onPick}
    >
      {face}
      <span className="sr-only">
        {monthWords(date)}, {blocks.length + hidden} siaran
      </span>
    </button>
  )
}

/** The hours before now are scrolled away, once. */
function useScrolledTo(minutes: number) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it stays where the reader has scrolled to
  return useCallback((frame: HTMLElement | null) => {
    if (!frame) return
    const from = Math.max(0, minutes / 60 - FIRST_SEEN_HOURS_BEFORE) / 24
    frame.scrollTop = frame.scrollHeight * from
  }, [])
}

export function WeekView({ occurrences, schedules, dates, today, zone, nowMs, actions }: WeekViewProps) {
  const isPhone = usePhone()
  const [dayAt, setDayAt] = useState(0)
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  const days = weekGrid(occurrences, dates, zone)
  const shown = isPhone ? days.slice(dayAt, dayAt + 1) : days
  const now = wallTimeAt(zone, nowMs).minutes
  const frame = useScrolledTo(now)
  const chosen = occurrences.find((occurrence) => keyOf(occurrence) === chosenKey)
  return (
    <div className="min-w-0">
      <section
        ref={frame}
        aria-label="Kisi minggu"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be scrolled by keyboard too
        tabIndex={0}
        className="relative max-h-120 scroll-pt-14 overflow-y-auto border-y border-line -outline-offset-2"
      >
        <div className={classes(HEAD, isPhone ? 'px-2' : 'pl-14')}>
          {days.map((day, at) => (
            <DayHead
              key={day.date}
              day={day}
              isToday={day.date === today}
              picked={at === dayAt}
              onPick={isPhone ? () => setDayAt(at) : null}
            />
          ))}
        </div>
        <div className="grid grid-cols-[3.5rem_1fr]">
          <div aria-hidden className="text-right text-xs text-ink-soft tabular-nums">
            {HOURS.map((hour) => (
              <div key={hour} className="h-11 pt-0.5 pr-2">
                {String(hour).padStart(2, '0')}.00
              </div>
            ))}
          </div>
          <div className={classes('grid min-w-0', !isPhone && 'grid-cols-7')}>
            {shown.map((day) => (
              <DayColumn
                key={day.date}
                {...{ day, zone }}
                nowMinutes={day.date === today ? now : null}
                chosen={chosenKey}
                onChoose={setChosenKey}
              />
            ))}
          </div>
        </div>
      </section>
      <div aria-live="polite" data-testid="chosen-occurrence">
        {chosen ? (
          <OccurrenceRow
            {...{ occurrence: chosen, zone, nowMs, actions }}
            withDate
            schedule={schedules.find(({ id }) => id === chosen.scheduleId)}
          />
        ) : (
          <p className="px-4 py-3 text-xs text-ink-soft sm:px-6">Pilih satu siaran di atas untuk melihat rinciannya.</p>
        )}
      </div>
    </div>
  )
}
