import { Page } from '../../../components/page.tsx'
import { TUTORIALS } from '../tutorials.ts'
import { TutorialCard } from './tutorial-card.tsx'

export function TutorialScreen() {
  return (
    <Page title="Tutorial" lead="Tiga video pendek tanpa suara. Bagian yang menunggu dipercepat.">
      <div className="grid gap-6">
        {TUTORIALS.map((tutorial) => (
          <TutorialCard key={tutorial.id} tutorial={tutorial} />
        ))}
      </div>
    </Page>
  )
}
