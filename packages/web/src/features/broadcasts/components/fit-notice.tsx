import { fitOf } from '@siarin/contracts/platform-fit'
import { presetOf } from '@siarin/contracts/platform-presets'
import type { Video } from '@siarin/contracts/videos'
import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { targetsQuery } from '../../targets/api/targets.ts'
import { type GoForm, goesToTickedOnly } from '../go-form.ts'

const presetIdOf = ({ platform, preset }: { platform: string; preset: string | null }): string =>
  platform === 'lain' ? (preset ?? '') : platform

/** For each of the platforms that it goes to. */
export function FitNotices({ video, form }: { video: Video; form: GoForm }) {
  const { data: targets = [] } = useQuery({ ...targetsQuery(), enabled: false })
  const goesTo = [
    ...(goesToTickedOnly(form) ? [] : [presetIdOf(form)]),
    ...targets.filter(({ id }) => form.ticked.includes(id)).map(presetIdOf),
  ]
  return [...new Set(goesTo)].map((presetId) => <FitNotice key={presetId} video={video} presetId={presetId} />)
}

/** What the platform will refuse or show worse, before anyone has gone live. It keeps nobody from trying. */
function FitNotice({ video, presetId }: { video: Video; presetId: string }) {
  const preset = presetOf(presetId)
  if (!preset) return null
  const { findings, wayOut } = fitOf(video, preset)
  if (findings.length === 0) return null
  return (
    <div
      role="note"
      aria-label={`Kecocokan video dengan ${preset.name}`}
      className="flex gap-2.5 rounded-control bg-warn-wash px-3.5 py-3 text-xs text-warn-ink"
    >
      <Info aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      <div className="grid gap-1.5 text-pretty tabular-nums">
        {findings.map(({ kind, text }) => (
          <p key={kind}>{text}</p>
        ))}
        {wayOut && <p className="font-semibold">{wayOut}</p>}
      </div>
    </div>
  )
}
