import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Button } from '../../../components/button.tsx'
import { featureMessage } from '../../../lib/feature-calls.ts'
import { targetsQuery } from '../../targets/api/targets.ts'
import { type GoForm, namesTarget } from '../go-form.ts'
import { FacebookNote } from './facebook-note.tsx'
import { TickedTargets } from './ticked-targets.tsx'

const NOT_LOADED = 'Tujuan tersimpan belum bisa dimuat.'

/** What one Go Live comes to, before it is pressed. */
function goesTo(form: GoForm, count: number): string {
  if (count === 0) return 'Centang satu atau beberapa, atau isi tujuan lain di bawah.'
  if (!namesTarget(form)) {
    return count === 1 ? 'Siaran dikirim ke tujuan ini.' : `Siaran dikirim ke ${count} tujuan sekaligus.`
  }
  return `Siaran dikirim ke ${count + 1} tujuan: yang dicentang dan yang diisi di bawah.`
}

interface SavedTargetsProps {
  form: GoForm
  onChange: (change: Partial<GoForm>) => void
}

/** The stored targets, to be ticked. A person who has none sees the form without them. */
export function SavedTargets({ form, onChange }: SavedTargetsProps) {
  const { data: targets, error, refetch } = useQuery(targetsQuery())
  if (!targets && error) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-ink-soft">{featureMessage(error, NOT_LOADED)}</p>
        <Button look="secondary" size="small" onClick={() => void refetch()}>
          Muat ulang tujuan
        </Button>
      </div>
    )
  }
  if (!targets || targets.length === 0) return null
  const ticked = targets.filter(({ id }) => form.ticked.includes(id))
  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby="ticked-hint">
      <legend className="mb-1.5 text-sm font-semibold">Tujuan tersimpan</legend>
      <TickedTargets targets={targets} ticked={form.ticked} onChange={(ticked) => onChange({ ticked })} />
      <div className="flex items-baseline justify-between gap-4 text-xs">
        <p id="ticked-hint" aria-live="polite" className="min-w-0 text-pretty text-ink-soft tabular-nums">
          {goesTo(form, ticked.length)}
        </p>
        <Link
          to="/fitur/target"
          className="inline-flex min-h-6 shrink-0 items-center font-semibold text-accent-ink underline"
        >
          Kelola tujuan
        </Link>
      </div>
      {form.platform !== 'facebook' && ticked.some(({ platform }) => platform === 'facebook') && <FacebookNote />}
    </fieldset>
  )
}
