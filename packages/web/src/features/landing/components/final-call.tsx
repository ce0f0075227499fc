import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { settings } from '../../../lib/settings.ts'
import { CONSULTATION_LINK } from '../content.ts'

export function FinalCall() {
  return (
    <section aria-labelledby="final-title" className="mx-auto max-w-page px-4 pb-16 md:px-6 md:pb-24">
      <div className="rounded-card border border-accent-line bg-accent-wash px-6 py-12 text-center md:py-16">
        <h2 id="final-title" className="mx-auto max-w-[24ch] text-xl font-bold md:text-2xl">
          Malam ini, biar siaran Anda yang begadang
        </h2>
        <p className="mx-auto mt-4 max-w-[52ch] text-base text-pretty">
          Gratis {settings().trialDays} hari, tanpa kartu kredit. Siap dalam 5 menit, dengan dukungan 24/7.
        </p>
        <div className="mt-8 flex flex-col justify-center gap-3 sm:flex-row">
          <Link to="/register" className={buttonStyle('primary', 'large')}>
            Mulai siaran pertama
          </Link>
          <a href={CONSULTATION_LINK} className={buttonStyle('secondary', 'large')}>
            Konsultasi dengan Tim Kami
          </a>
        </div>
      </div>
    </section>
  )
}
