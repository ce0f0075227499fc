import type { Rendition, Video } from '@siarin/contracts/videos'
import { useId } from 'react'
import { versionName } from '../../branding/brand-words.ts'
import { isUnderWay } from '../../library/api/videos.ts'
import { renditionWords } from '../../library/video-facts.ts'
import { brandedVersions, chosenVersion } from '../go-form.ts'

interface VersionChoiceProps {
  video: Video
  /** The recipe that the form has; empty: the video itself. */
  value: string
  onChange: (recipe: string) => void
}

interface OptionProps {
  name: string
  label: string
  /** Why it cannot be chosen yet, or what it means. */
  note?: string
  checked: boolean
  disabled?: boolean
  onChoose: () => void
}

function Option({ name, label, note, checked, disabled = false, onChoose }: OptionProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3.5 py-1.5 text-sm has-disabled:cursor-default has-disabled:text-ink-soft">
      <input
        type="radio"
        name={name}
        checked={checked}
        disabled={disabled}
        className="size-5 shrink-0 accent-(--color-accent)"
        onChange={onChoose}
      />
      <span className="min-w-0">
        <span className="block text-pretty first-letter:uppercase">{label}</span>
        {note && <span className="block text-xs text-ink-soft tabular-nums">{note}</span>}
      </span>
    </label>
  )
}

const noteOf = (made: Rendition): { note?: string; disabled?: boolean } =>
  isUnderWay(made) ? { note: `${renditionWords(made)}. Bisa dipilih begitu siap.`, disabled: true } : {}

/** Which version of the video is sent. What is still being made is seen, and cannot be chosen yet. */
export function VersionChoice({ video, value, onChange }: VersionChoiceProps) {
  const name = useId()
  const versions = brandedVersions(video)
  if (versions.length === 0) return null
  const chosen = chosenVersion(video, { rendition: value })
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">Versi</legend>
      <div className="divide-y divide-line rounded-control border border-line">
        <Option name={name} label="Asli" note="Tanpa brand" checked={chosen === null} onChoose={() => onChange('')} />
        {versions.map((made) => (
          <Option
            key={made.recipe}
            name={name}
            label={versionName(made)}
            {...noteOf(made)}
            checked={chosen?.recipe === made.recipe}
            onChoose={() => onChange(made.recipe)}
          />
        ))}
      </div>
    </fieldset>
  )
}
