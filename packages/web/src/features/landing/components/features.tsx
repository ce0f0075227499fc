import { Card } from '../../../components/card.tsx'
import { FEATURES } from '../content.ts'
import { Section } from './section.tsx'

export function Features() {
  return (
    <Section
      id="features"
      onCard
      title="Anda tidur, siaran jalan terus"
      lead="Komputer yang menyala semalaman, internet rumah yang sering putus, dan Anda yang bangun pukul tiga pagi untuk menekan tombol mulai lagi: itulah ongkos siaran 24 jam. Serahkan bagian itu kepada kami."
    >
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map(({ icon: Icon, title, text }) => (
          <li key={title} className="grid">
            <Card className="flex gap-4 bg-ground p-5 sm:block sm:p-6">
              <span className="grid size-11 shrink-0 place-items-center rounded-control bg-accent-wash text-accent-ink">
                <Icon aria-hidden size={20} strokeWidth={1.75} />
              </span>
              <div className="sm:mt-5">
                <h3 className="text-base font-bold">{title}</h3>
                <p className="mt-1.5 text-sm text-pretty text-ink-soft">{text}</p>
              </div>
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  )
}
