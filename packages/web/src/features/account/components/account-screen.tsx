import { UserCog } from 'lucide-react'
import { ComingNote } from '../../../components/coming-note.tsx'
import { Page } from '../../../components/page.tsx'

export function AccountScreen() {
  return (
    <Page title="Account">
      <ComingNote
        icon={UserCog}
        text="Di sini nanti Anda menambah dan menghapus akun Bigo dan TikTok yang dipakai untuk siaran."
      />
    </Page>
  )
}
