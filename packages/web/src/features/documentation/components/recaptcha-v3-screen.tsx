import { KeyRound } from 'lucide-react'
import { ComingNote } from '../../../components/coming-note.tsx'
import { Page } from '../../../components/page.tsx'

export function RecaptchaV3Screen() {
  return (
    <Page title="Recaptcha V3">
      <ComingNote icon={KeyRound} text="Di sini nanti Anda mengelola video lewat API key, tanpa login." />
    </Page>
  )
}
