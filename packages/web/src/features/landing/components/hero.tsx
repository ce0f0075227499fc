import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { settings } from '../../../lib/settings.ts'
import { useReducedMotion } from '../../../lib/use-media.ts'
import { BroadcastCard } from './broadcast-card.tsx'

const PRICING = 'pricing'

/** Scrolls there and puts the focus there too, so that the keyboard goes on from the same place as the eye. */
function showPricing(event: MouseEvent, still: boolean): void {
  const section = document.getElementById(PRICING)
  if (!section) return
  event.preventDefault()
  window.history.replaceState(window.history.state, '', `#${PRICING}`)
  section.focus({ preventScroll: true })
  section.scrollIntoView({ behavior: still ? 'auto' : 'smooth' })
}

export function Hero() {
  const { brand, trialDays } = settings()
  const still = useReducedMotion()
  return (
    <section className="mx-auto grid max-w-page items-center gap-12 px-4 pt-12 pb-16 md:px-6 md:pt-20 md:pb-24 lg:grid-cols-[minmax(0,1fr)_minmax(0,29rem)] lg:gap-16">
      <div>
        <p className="inline-flex w-fit items-center gap-2 rounded-full border border-line bg-card px-3 py-1.5 text-xs font-semibold text-ink-soft">
          Tayang terus, tanpa dijaga
        </p>
        <h1 className="mt-6 max-w-[16ch] text-2xl font-extrabold sm:text-3xl">
          Satu video, siaran yang tidak pernah tidur
        </h1>
        <p className="mt-6 max-w-[52ch] text-base text-pretty text-ink-soft md:text-lg">
          {brand} memutar video Anda berulang-ulang dan menyiarkannya ke YouTube, Facebook, TikTok, atau alamat RTMP
          mana pun. Sambungan putus pukul tiga pagi? Disambung ulang sebelum penonton pergi.
        </p>
        <div className="mt-8 flex flex-col gap-3 sm:flex-row">
          <Link to="/register" className={buttonStyle('primary', 'large')}>
            Coba gratis {trialDays} hari
          </Link>
          <a
            href={`#${PRICING}`}
            className={buttonStyle('secondary', 'large')}
            onClick={(event) => showPricing(event, still)}
          >
            Lihat Paket & Harga
          </a>
        </div>
        <p className="mt-5 text-sm text-ink-soft">Tanpa kartu kredit. Tanpa aplikasi. Laptop boleh dimatikan.</p>
      </div>
      <BroadcastCard />
    </section>
  )
}
