import { PLANS, type Plan, type PlanId } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { MessageCircle, Minus } from 'lucide-react'
import { Badge } from '../../../components/badge.tsx'
import { type ButtonLook, buttonStyle } from '../../../components/button-styles.ts'
import { Card } from '../../../components/card.tsx'
import { classes } from '../../../lib/classes.ts'
import { planChatLink, rupiah } from '../../../lib/offer.ts'
import { useSession } from '../../../lib/session.ts'
import { settings } from '../../../lib/settings.ts'
import { hasHadTrial } from '../../standing/standing-words.ts'
import { comparisonRows } from '../plan-rows.ts'

const ROWS = comparisonRows(PLANS)

function Value({ text }: { text: string | null }) {
  if (text !== null) return text
  return (
    <>
      <Minus aria-hidden size={16} strokeWidth={1.75} className="inline text-ink-soft" />
      <span className="sr-only">Tidak ada</span>
    </>
  )
}

function Face({ plan, current }: { plan: Plan; current: boolean }) {
  return (
    <>
      <span className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="text-base font-bold">{plan.name}</span>
        {current ? <Badge tone="accent">Paket Anda</Badge> : plan.badge && <Badge>{plan.badge}</Badge>}
      </span>
      <span className="mt-1 block text-sm font-normal text-ink-soft">
        <span className="font-semibold text-ink">{rupiah(plan.price)}</span>{' '}
        {plan.price === 0 ? `untuk ${settings().trialDays} hari` : 'per bulan'}
      </span>
    </>
  )
}

const label = (plan: Plan, current: boolean): string => {
  if (plan.price === 0) return `Tanya ${plan.name}`
  return `${current ? 'Perpanjang' : 'Pilih'} ${plan.name}`
}

/** Opens the chat in which plans are bought. Where the operator gave no number, the person has to know whom to ask. */
function ChooseLink({ plan, current }: { plan: Plan; current: boolean }) {
  const { user } = useSession()
  const reachable = settings().whatsappNumber !== ''
  const look: ButtonLook = plan.popular ? 'primary' : 'secondary'
  return (
    <a
      href={planChatLink(plan, user?.username, current)}
      target="_blank"
      rel="noreferrer"
      className={buttonStyle(look, 'normal', 'w-full px-3!')}
      {...(!reachable && { 'aria-label': `Hubungi administrator tentang ${plan.name}` })}
    >
      <MessageCircle aria-hidden size={18} strokeWidth={1.75} />
      {reachable ? label(plan, current) : 'Hubungi administrator'}
    </a>
  )
}

interface PlansProps {
  /** Undefined: it is not known yet. */
  current: PlanId | undefined
}

function Table({ current }: PlansProps) {
  const column = ({ id }: Plan): string => classes('px-4 align-top', id === current && 'bg-accent-wash')
  return (
    <Card className="hidden overflow-clip lg:block">
      <table className="w-full table-fixed text-left text-sm">
        <caption className="sr-only">Perbandingan paket</caption>
        <thead>
          <tr className="border-b border-line">
            <td className="w-1/5" />
            {PLANS.map((plan) => (
              <th key={plan.id} scope="col" className={classes(column(plan), 'py-5')}>
                <Face plan={plan} current={plan.id === current} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {ROWS.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row" className="py-3 pr-2 pl-6 font-normal text-ink-soft">
                {name}
              </th>
              {PLANS.map((plan, index) => (
                <td key={plan.id} className={classes(column(plan), 'py-3 font-medium tabular-nums')}>
                  <Value text={values[index] ?? null} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <td />
            {PLANS.map((plan) => (
              <td key={plan.id} className={classes(column(plan), 'py-5')}>
                <ChooseLink plan={plan} current={plan.id === current} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </Card>
  )
}

function Cards({ current, plans }: PlansProps & { plans: readonly Plan[] }) {
  return (
    <ul aria-label="Perbandingan paket" className="grid gap-4 sm:grid-cols-2 lg:hidden">
      {plans.map((plan) => (
        <li key={plan.id} className="grid">
          <Card
            className={classes('flex flex-col p-5', plan.id === current && 'border-accent-line!')}
            aria-label={plan.name}
          >
            <h3>
              <Face plan={plan} current={plan.id === current} />
            </h3>
            <dl className="my-4 divide-y divide-line text-sm">
              {comparisonRows([plan]).map(({ name, values }) => (
                <div key={name} className="flex items-baseline justify-between gap-4 py-2">
                  <dt className="text-ink-soft">{name}</dt>
                  <dd className="text-right font-medium tabular-nums">
                    <Value text={values[0] ?? null} />
                  </dd>
                </div>
              ))}
            </dl>
            <div className="mt-auto">
              <ChooseLink plan={plan} current={plan.id === current} />
            </div>
          </Card>
        </li>
      ))}
    </ul>
  )
}

const TRIAL_LAST = PLANS.toSorted((a, b) => Number(a.price === 0) - Number(b.price === 0))

/** The four plans side by side; on a phone one below the other, and what cannot be had again last. */
export function PlanComparison({ standing }: { standing: Standing | undefined }) {
  const current = standing?.plan
  return (
    <>
      <Table current={current} />
      <Cards current={current} plans={standing && hasHadTrial(standing) ? TRIAL_LAST : PLANS} />
    </>
  )
}
