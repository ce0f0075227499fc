import { PLANS, type Plan } from '@siarin/contracts/plans'
import { chatLink } from '../../lib/chat-link.ts'
import { formatNumber } from '../../lib/format.ts'
import { settings } from '../../lib/settings.ts'

export const rupiah = (amount: number): string => `Rp ${formatNumber(amount)}`

/** What the cheapest plan costs that is not the trial. */
export const lowestPrice = (): string => rupiah(Math.min(...PLANS.map(({ price }) => price).filter(Boolean)))

const chatText = ({ name, price }: Plan): string =>
  price > 0
    ? `Halo ${settings().brand}, saya ingin berlangganan paket ${name} (${rupiah(price)} per bulan). Bagaimana caranya?`
    : `Halo ${settings().brand}, saya ingin bertanya tentang paket ${name}.`

export const whatsappLink = (plan: Plan): string => chatLink(chatText(plan))
