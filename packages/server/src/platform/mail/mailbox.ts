const GMAIL = ['gmail.com', 'googlemail.com']

/** Names the mailbox in which letters to this address arrive: many spellings may lead to one. Accounts go by the address itself. */
export function mailboxOf(email: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/s.exec(email.trim().toLowerCase()) ?? []
  const [name = ''] = local.split('+')
  return GMAIL.includes(domain) ? `${name.replaceAll('.', '')}@${GMAIL[0]}` : `${name}@${domain}`
}
