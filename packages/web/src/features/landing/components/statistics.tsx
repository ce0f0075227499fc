import { STATISTICS } from '../content.ts'
import { Section } from './section.tsx'

export function Statistics() {
  return (
    <Section id="statistics" title="Dipakai sungguhan, setiap hari">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-10 lg:grid-cols-4">
        {STATISTICS.map(({ figure, label }) => (
          <div key={label} className="flex flex-col-reverse text-center">
            <dt className="mt-1 text-sm text-ink-soft">{label}</dt>
            <dd className="text-2xl font-extrabold sm:text-3xl">{figure}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
