import { MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { buttonStyle } from '../../../components/button-styles.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { closeNotice } from '../../../lib/blocking-notice.ts'
import { chatLink } from '../../../lib/chat-link.ts'
import { useSession } from '../../../lib/session.ts'
import { settings } from '../../../lib/settings.ts'

/** Free access has been stopped. While it is shown, nothing behind it is there to load or to be pressed. */
export function BlockingNotice({ text }: { text: string }) {
  const [closing, setClosing] = useState(false)
  const { user } = useSession()
  const close = (): void => {
    setClosing(true)
    void closeNotice()
  }
  const question = `Halo admin ${settings().brand}, saya ${user?.username ?? ''}. Saya ingin upgrade ke premium.`
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !closing) close()
      }}
      title="Akses gratis dihentikan"
      description={text}
    >
      <div className="flex justify-end">
        <a href={chatLink(question)} target="_blank" rel="noreferrer" className={buttonStyle('primary')}>
          <MessageCircle aria-hidden size={20} strokeWidth={1.75} />
          Hubungi admin
        </a>
      </div>
    </Dialog>
  )
}
