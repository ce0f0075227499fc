import { STEPS } from '../content.ts'
import { Section } from './section.tsx'

export function Steps() {
  return (
    <Section id="steps" onCard title="Tiga langkah, lima menit">
      <ol className="grid gap-10 md:grid-cols-3 md:gap-8">
        {STEPS.map(({ title, text }, index) => (
          <li key={title} className="flex gap-4 md:block">
            <span
              aria-hidden
              className="grid size-11 shrink-0 place-items-center rounded-full border border-line-strong text-base font-bold"
            >
              {index + 1}
            </span>
            <div className="md:mt-5">
              <h3 className="text-lg font-bold">{title}</h3>
              <p className="mt-1.5 max-w-[40ch] text-sm text-pretty text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}
