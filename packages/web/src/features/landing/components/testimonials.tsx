import { Card } from '../../../components/card.tsx'
import { TESTIMONIALS } from '../content.ts'
import { Section } from './section.tsx'

const initials = (name: string): string =>
  name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')

export function Testimonials() {
  return (
    <Section id="testimonials" onCard title="Kata mereka yang sudah tidur nyenyak">
      <ul className="grid gap-4 lg:grid-cols-3">
        {TESTIMONIALS.map(({ quote, name, role }) => (
          <li key={name} className="grid">
            <Card className="bg-ground">
              <figure className="flex h-full flex-col justify-between gap-6 p-6">
                <blockquote className="text-base text-pretty">“{quote}”</blockquote>
                <figcaption className="flex items-center gap-3">
                  <span
                    aria-hidden
                    className="grid size-11 shrink-0 place-items-center rounded-full bg-accent-wash text-sm font-bold text-accent-ink"
                  >
                    {initials(name)}
                  </span>
                  <span>
                    <span className="block text-sm font-semibold">{name}</span>
                    <span className="block text-sm text-ink-soft">{role}</span>
                  </span>
                </figcaption>
              </figure>
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  )
}
