import { BookOpen } from 'lucide-react'
import { ComingNote } from '../../../components/coming-note.tsx'
import { Page } from '../../../components/page.tsx'

export function DocumentationScreen() {
  return (
    <Page title="Documentation">
      <ComingNote
        icon={BookOpen}
        text="Di sini nanti ada panduan memakai layanan ini dan API-nya, terbuka untuk semua orang."
      />
    </Page>
  )
}
