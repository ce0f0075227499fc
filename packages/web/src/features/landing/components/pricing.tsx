import { PLANS, type Plan, planFeatures } from '@siarin/contracts/plans'
import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { buttonStyle } from '../../../components/button-styles.ts'
import { classes } from '../../../lib/classes.ts'
import { planChatLink, rupiah } from '../../../lib/offer.ts'
import { settings } from '../../../lib/settings.ts'
import { Section } from './section.tsx'

function Price({ plan: { price, originalPrice } }: { plan: Plan }) {
  return (
    <div className="mt-5">
      <p className="h-5 text-sm text-ink-soft">
        {originalPrice !== null && (
          <>
            <span className="sr-only">Harga sebelumnya </span>
            <s>{rupiah(originalPrice)}</s>
          </>
        )}
      </p>
      <p className="text-xl font-extrabold whitespace-nowrap">{rupiah(price)}</p>
      <p className="text-sm text-ink-soft">{price === 0 ? `untuk ${settings().trialDays} hari` : 'per bulan'}</p>
    </div>
  )
}

/** Plans are bought in a chat; the trial begins by itself, and its chat is for questions. */
function Actions({ plan }: { plan: Plan }) {
  const chat = { href: planChatLink(plan), target: '_blank', rel: 'noreferrer' }
  const small = 'mt-2 flex min-h-11 items-center justify-center text-center text-xs text-ink-soft'
  if (plan.price > 0) {
    return (
      <>
        <a {...chat} className={buttonStyle(plan.popular ? 'primary' : 'secondary', 'normal', 'w-full')}>
          Pilih {plan.name}
        </a>
        <p className={small}>Lanjut di WhatsApp</p>
      </>
    )
  }
  return (
    <>
      <Link to="/register" className={buttonStyle('secondary', 'normal', 'w-full')}>
        Mulai gratis
      </Link>
      <a {...chat} className={classes(small, 'rounded-control underline-offset-4 hover:underline')}>
        Tanya {plan.name} di WhatsApp
      </a>
    </>
  )
}

function PlanCard({ plan }: { plan: Plan }) {
  const titleId = `plan-${plan.id}`
  return (
    <article
      aria-labelledby={titleId}
      data-popular={plan.popular || undefined}
      className={classes(
        'relative flex w-full flex-col rounded-card border bg-card p-6',
        plan.popular ? 'border-2 border-accent shadow-soft xl:-my-4 xl:py-10' : 'border-line',
      )}
    >
      {plan.badge && (
        <p
          className={classes(
            'absolute -top-3 left-6 rounded-full px-3 py-1 text-xs font-bold',
            plan.popular ? 'bg-accent text-on-accent' : 'border border-line bg-raised text-ink',
          )}
        >
          {plan.badge}
        </p>
      )}
      <h3 id={titleId} className="text-lg font-bold">
        {plan.name}
      </h3>
      <p className="mt-1 text-sm text-ink-soft">{plan.description}</p>
      <Price plan={plan} />
      <ul className="mt-6 grid gap-2.5">
        {planFeatures(plan).map((feature) => (
          <li key={feature} className="flex gap-2.5 text-sm">
            <Check aria-hidden size={18} strokeWidth={2} className="mt-px shrink-0 text-accent-ink" />
            {feature}
          </li>
        ))}
      </ul>
      <p className="mt-6 mb-5 text-sm text-ink-soft">Cocok untuk {plan.recommendedFor}.</p>
      <div className="mt-auto">
        <Actions plan={plan} />
      </div>
    </article>
  )
}

export function Pricing() {
  return (
    <Section
      id="pricing"
      title="Paket & harga"
      lead="Satu harga per bulan, berapa jam pun Anda tayang. Tidak ada biaya per jam, tidak ada biaya per penonton."
    >
      <ul className="mx-auto grid max-w-[26rem] gap-6 md:max-w-none md:grid-cols-2 xl:grid-cols-4">
        {PLANS.map((plan) => (
          <li key={plan.id} className="flex">
            <PlanCard plan={plan} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
