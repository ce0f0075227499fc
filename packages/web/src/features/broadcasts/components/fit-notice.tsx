import { fitOf } from '@siarin/contracts/platform-fit'
import { presetOf } from '@siarin/contracts/platform-presets'
import type { Video } from '@siarin/contracts/videos'
import { Info } from 'lucide-react'
import type { GoForm } from '../go-form.ts'

/** What the platform will refuse or show worse, before anyone has gone live. It keeps nobody from trying. */
export function FitNotice({ video, form }: { video: Video; form: GoForm }) {
  const preset = presetOf(form.platform === 'lain' ? form.preset : form.platform)
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
