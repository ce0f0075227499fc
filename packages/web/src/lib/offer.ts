import { PLANS, type Plan } from '@siarin/contracts/plans'
import { chatLink } from './chat-link.ts'
import { formatNumber } from './format.ts'
import { settings } from './settings.ts'
import { writerWords } from './writer-words.ts'

export const rupiah = (amount: number): string => `Rp ${formatNumber(amount)}`

/** What the cheapest plan costs that is not the trial. */
export const lowestPrice = (): string => rupiah(Math.min(...PLANS.map(({ price }) => price).filter(Boolean)))

function chatText({ name, price }: Plan, username: string | undefined, renewing: boolean): string {
  const greeting = username ? `Halo ${settings().brand}, ${writerWords(username)}` : `Halo ${settings().brand},`
  const wish = username ? 'Saya ingin' : 'saya ingin'
  return price > 0
    ? `${greeting} ${wish} ${renewing ? 'memperpanjang' : 'berlangganan'} paket ${name} (${rupiah(price)} per bulan). Bagaimana caranya?`
    : `${greeting} ${wish} bertanya tentang paket ${name}.`
}

/** Plans are bought in a chat. Who is known says who they are, so that the operator knows whose plan to set. */
export const planChatLink = (plan: Plan, username?: string, renewing = false): string =>
  chatLink(chatText(plan, username, renewing))
