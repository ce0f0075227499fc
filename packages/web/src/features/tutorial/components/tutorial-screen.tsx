import { GraduationCap } from 'lucide-react'
import { ComingNote } from '../../../components/coming-note.tsx'
import { Page } from '../../../components/page.tsx'

export function TutorialScreen() {
  return (
    <Page title="Tutorial">
      <ComingNote
        icon={GraduationCap}
        text="Di sini nanti ada tiga video tutorial, dari upload pertama sampai siaran berjalan sendiri."
      />
    </Page>
  )
}
