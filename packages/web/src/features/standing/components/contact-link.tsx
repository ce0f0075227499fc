import { MessageCircle } from 'lucide-react'
import { type ButtonLook, buttonStyle } from '../../../components/button-styles.ts'
import { chatLink } from '../../../lib/chat-link.ts'
import { useSession } from '../../../lib/session.ts'
import { settings } from '../../../lib/settings.ts'
import { useStanding } from '../api/standing.ts'
import { contactWords } from '../contact-words.ts'

/** A chat with the operator of this server, about access that has been stopped. */
export function ContactLink({ look }: { look: ButtonLook }) {
  const { user } = useSession()
  const question = contactWords(settings().brand, user?.username, useStanding())
  return (
    <a href={chatLink(question)} target="_blank" rel="noreferrer" className={buttonStyle(look)}>
      <MessageCircle aria-hidden size={20} strokeWidth={1.75} />
      Hubungi admin
    </a>
  )
}
