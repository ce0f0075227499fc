import { PLAN_IDS, planName } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { formatMoment, formatNumber, formatSpan } from '../../lib/format.ts'

/** Every feature call is refused. */
export const isStopped = ({ state }: Standing): boolean => state === 'ended' || state === 'suspended'

const ofPlan = ({ plan }: Standing): string => (plan === 'free-trial' ? 'Masa coba' : `Paket ${planName(plan)}`)

/** For how long it still goes on; null while nobody needs to think of it. */
export function countdownWords(standing: Standing, nowMs: number): string | null {
  const { state, endsAt, stopsAt, endsSoon, enforced } = standing
  if (!enforced || !endsSoon) return null
  if (state === 'grace')
    return `${ofPlan(standing)} sudah habis; semuanya tetap berjalan sampai ${formatMoment(stopsAt)}.`
  if (state !== 'active' || endsAt === null) return null
  const seconds = Math.round((Date.parse(endsAt) - nowMs) / 1000)
  const when = seconds > 0 ? `dalam ${formatSpan(seconds)}` : 'sebentar lagi'
  return `${ofPlan(standing)} berakhir ${when}${consequence(endsAt, stopsAt)}`
}

const DAY_MS = 86_400_000

/** What happens then: at once, or after the days of grace that the server gives a paid plan. */
function consequence(endsAt: string, stopsAt: string | null): string {
  const graceDays = stopsAt === null ? 0 : Math.round((Date.parse(stopsAt) - Date.parse(endsAt)) / DAY_MS)
  if (graceDays <= 0) return '. Siaran yang tayang ikut berhenti.'
  return `; setelah itu ada ${formatNumber(graceDays)} hari tenggang, lalu siaran berhenti.`
}

/** Until when, as the plan page says it. */
export function untilWords({ state, endsAt, stopsAt }: Standing): string {
  if (endsAt === null) return 'Berlaku tanpa batas waktu'
  if (state === 'grace') return `Habis ${formatMoment(endsAt)}, berhenti ${formatMoment(stopsAt)}`
  return `${state === 'ended' ? 'Berakhir' : 'Berlaku sampai'} ${formatMoment(endsAt)}`
}

/** The date that counts in each state, for a line of facts; null: none does. */
export function dateFact({ state, endsAt, stopsAt }: Standing): { name: string; at: string | null } | null {
  if (endsAt === null || state === 'suspended') return null
  if (state === 'grace') return { name: 'Tenggang sampai', at: stopsAt }
  return { name: state === 'ended' ? 'Berakhir' : 'Berlaku sampai', at: endsAt }
}

/** Who pays, or has had the trial, is not offered it first. */
export const hasHadTrial = ({ plan, state }: Standing): boolean => plan !== 'free-trial' || state === 'ended'

interface StoppedWords {
  readonly title: string
  readonly text: string
}

/** Why nothing can be done any more, and what can be done about that. */
export function stoppedWords(standing: Standing): StoppedWords {
  if (standing.state === 'suspended') {
    return {
      title: 'Akun Anda dihentikan',
      text: 'Administrator menghentikan akun ini, jadi siaran berhenti dan fitur tidak bisa dipakai. Hubungi administrator untuk membukanya lagi.',
    }
  }
  return {
    title: `${ofPlan(standing)} sudah berakhir`,
    text: 'Siaran Anda berhenti dan fitur tidak bisa dipakai. Pilih paket untuk melanjutkan dari tempat Anda berhenti.',
  }
}

/** What the operator gave as the reason of a suspension; null: nothing, or there is none. */
export const reasonWords = ({ state, suspendedFor }: Standing): string | null =>
  state === 'suspended' && suspendedFor ? `Alasan: ${suspendedFor}` : null

/** The same for whom 'free access' is not the word: who was suspended, or had paid. */
export const ownStoppedWords = (standing: Standing): StoppedWords | null =>
  standing.state === 'suspended' || standing.plan !== 'free-trial' ? stoppedWords(standing) : null

/** Until when the videos are kept; null where that is not in question, or past. */
export const keptWords = ({ videosDeletedAt }: Standing, nowMs: number): string | null =>
  videosDeletedAt !== null && nowMs < Date.parse(videosDeletedAt)
    ? `Video Anda disimpan sampai ${formatMoment(videosDeletedAt)}, lalu dihapus.`
    : null

export interface StandingNews {
  readonly tone: 'success' | 'warning'
  readonly title: string
  readonly text: string
}

const isSmaller = (after: Standing, before: Standing): boolean =>
  PLAN_IDS.indexOf(after.plan) < PLAN_IDS.indexOf(before.plan)

/** A smaller plan takes nothing off air. */
const planChangeText = (before: Standing, after: Standing, onAir: boolean): string =>
  onAir && isSmaller(after, before)
    ? 'Siaran yang tayang diteruskan; batas baru berlaku untuk siaran berikutnya.'
    : 'Batas paket ini langsung berlaku.'

/** What changed while the page was open; null: nothing that a person would notice. */
export function standingNews(before: Standing, after: Standing, onAir: boolean): StandingNews | null {
  const name = planName(after.plan)
  if (isStopped(after)) {
    if (before.state === after.state) return null
    const { title, text } = stoppedWords(after)
    return { tone: 'warning', title, text: [text, reasonWords(after)].filter(Boolean).join(' ') }
  }
  if (isStopped(before)) {
    return { tone: 'success', title: 'Akses dibuka lagi', text: `Paket ${name} aktif, semua fitur bisa dipakai.` }
  }
  if (before.plan !== after.plan) {
    const text = planChangeText(before, after, onAir)
    return { tone: 'success', title: `Paket Anda sekarang ${name}`, text }
  }
  if (before.state !== 'grace' && after.state === 'grace') {
    const text = `Semuanya tetap berjalan sampai ${formatMoment(after.stopsAt)}.`
    return { tone: 'warning', title: `${ofPlan(after)} sudah habis`, text }
  }
  if (before.endsAt !== after.endsAt) {
    return { tone: 'success', title: 'Masa berlaku paket diperbarui', text: `${untilWords(after)}.` }
  }
  return null
}
