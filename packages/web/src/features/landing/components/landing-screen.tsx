import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { TallyLamp } from '../../../components/tally-lamp.tsx'
import { settings } from '../../../lib/settings.ts'

export function LandingScreen() {
  const { brand, trialDays } = settings()
  return (
    <section className="mx-auto grid min-h-[calc(100dvh-4rem)] w-full max-w-page content-center px-4 py-16 md:px-6">
      <p className="inline-flex w-fit items-center gap-2 rounded-full border border-line bg-card px-3 py-1.5 text-xs font-semibold text-ink-soft">
        <TallyLamp lit />
        Tayang terus, tanpa dijaga
      </p>
      <h1 className="mt-6 max-w-[18ch] text-2xl font-bold md:text-3xl">Satu video, siaran yang tidak pernah tidur</h1>
      <p className="mt-5 max-w-[52ch] text-base text-ink-soft md:text-lg">
        {brand} memutar video Anda berulang dan menyiarkannya ke YouTube, Facebook, TikTok, atau alamat RTMP mana pun,
        lalu menyambung ulang sendiri saat koneksi putus.
      </p>
      <div className="mt-8 flex flex-wrap items-center gap-3">
        <Link to="/register" className={buttonStyle('primary')}>
          Coba gratis {trialDays} hari
        </Link>
        <Link to="/login" className={buttonStyle('quiet')}>
          Sudah punya akun? Login
        </Link>
      </div>
    </section>
  )
}
