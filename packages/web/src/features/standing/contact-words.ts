import { planName } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { writerWords } from '../../lib/writer-words.ts'

function wish({ plan, state }: Standing): string {
  if (state === 'suspended') return 'Akun saya dihentikan. Kenapa, dan apa yang perlu saya lakukan supaya dibuka lagi?'
  if (state === 'ended' && plan !== 'free-trial')
    return `Paket ${planName(plan)} saya sudah berakhir dan saya ingin memperpanjangnya.`
  return 'Saya ingin upgrade ke premium.'
}

/** What somebody whose access has been stopped writes to the operator, who has to know whose plan it is. */
export function contactWords(brand: string, username: string | undefined, standing: Standing | undefined): string {
  const greeting = `Halo admin ${brand}, ${writerWords(username)}`
  if (!standing) return `${greeting} Saya ingin upgrade ke premium.`
  return `${greeting} Paket saya ${planName(standing.plan)}. ${wish(standing)}`
}
