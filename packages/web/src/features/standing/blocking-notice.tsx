import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { PlanLink } from '../../components/plan-link.tsx'
import { closeNotice } from '../../lib/blocking-notice.ts'
import { useStopped } from './api/standing.ts'
import { ContactLink } from './components/contact-link.tsx'
import { keptWords, ownStoppedWords, reasonWords } from './standing-words.ts'

/**
 * Access has been stopped. While it is shown, nothing behind it is there to load or to be pressed. The sentence about free access is
 * specified; who has paid or was suspended reads first what is true of them.
 */
export function BlockingNotice({ text }: { text: string }) {
  const [closing, setClosing] = useState(false)
  const standing = useStopped()
  const own = standing && ownStoppedWords(standing)
  const reason = standing && reasonWords(standing)
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
      title={own?.title ?? 'Akses gratis dihentikan'}
      description={own?.text ?? text}
    >
      {reason && <p className="mb-3 text-sm font-medium break-words">{reason}</p>}
      {own && <p className="mb-5 text-sm text-ink-soft">{text}</p>}
      {kept && <p className="mb-5 text-sm font-medium">{kept}</p>}
      <div className="flex flex-wrap justify-end gap-3">
        <PlanLink look="secondary" />
        <ContactLink look="primary" />
      </div>
    </Dialog>
  )
}
