import { useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { closeNotice } from '../../../lib/blocking-notice.ts'
import { useStopped } from '../../plan/api/standing.ts'
import { ContactLink } from '../../plan/components/contact-link.tsx'
import { PlanLink } from '../../plan/components/plan-link.tsx'
import { keptWords } from '../../plan/standing-words.ts'

/** Free access has been stopped. While it is shown, nothing behind it is there to load or to be pressed. */
export function BlockingNotice({ text }: { text: string }) {
  const [closing, setClosing] = useState(false)
  const standing = useStopped()
  const kept = standing && keptWords(standing, Date.now() + standing.clockBehindMs)
  const close = (): void => {
    setClosing(true)
    void closeNotice()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !closing) close()
      }}
      title="Akses gratis dihentikan"
      description={text}
    >
      {kept && <p className="mb-5 text-sm font-medium">{kept}</p>}
      <div className="flex flex-wrap justify-end gap-3">
        <PlanLink look="secondary" />
        <ContactLink look="primary" />
      </div>
    </Dialog>
  )
}
