import { Activity } from 'lucide-react'
import { ComingNote } from '../../../components/coming-note.tsx'
import { Page } from '../../../components/page.tsx'
import { useSession } from '../../../lib/session.ts'

export function DashboardScreen() {
  const { user } = useSession()
  return (
    <Page title={`Welcome back, ${user?.username || 'User'}!`}>
      <ComingNote
        icon={Activity}
        text="Di sini nanti tampil siaran yang sedang tayang, pemakaian CPU dan memori server, serta sisa ruang penyimpanan Anda."
      />
    </Page>
  )
}
