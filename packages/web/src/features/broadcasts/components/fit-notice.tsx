import { type FitFinding, fitOf, isMendable, recipeFor, recipeToSend } from '@siarin/contracts/platform-fit'
import type { PlatformPreset } from '@siarin/contracts/platform-preset'
import { presetOf } from '@siarin/contracts/platform-presets'
import { FIT_TEXTS } from '@siarin/contracts/preset-texts'
import { fpsOf, parseRecipe, recipeWords, renditionBytes } from '@siarin/contracts/recipes'
import { RENDITION_TEXTS } from '@siarin/contracts/rendition-texts'
import type { Rendition, Video } from '@siarin/contracts/videos'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Info } from 'lucide-react'
import { Bar } from '../../../components/bar.tsx'
import { Button } from '../../../components/button.tsx'
import { formatShortBytes } from '../../../lib/format.ts'
import { isUnderWay } from '../../library/api/videos.ts'
import { BrandVersionButton } from '../../library/brand-version.tsx'
import { useRenditionActions } from '../../library/use-rendition-actions.ts'
import { renditionWords } from '../../library/video-facts.ts'
import { targetsQuery } from '../../targets/api/targets.ts'
import { chosenVersion, type GoForm, goesToTickedOnly } from '../go-form.ts'

const presetIdOf = ({ platform, preset }: { platform: string; preset: string | null }): string =>
  platform === 'lain' ? (preset ?? '') : platform

/** For each of the platforms that it goes to. */
export function FitNotices({ video, form }: { video: Video; form: GoForm }) {
  const { data: targets = [] } = useQuery({ ...targetsQuery(), enabled: false })
  const goesTo = [
    ...(goesToTickedOnly(form) ? [] : [presetIdOf(form)]),
    ...targets.filter(({ id }) => form.ticked.includes(id)).map(presetIdOf),
  ]
  const sent = sentInstead(video, chosenVersion(video, form))
  return [...new Set(goesTo)].map((presetId) => <FitNotice key={presetId} video={sent} presetId={presetId} />)
}

/** What platforms see where a version was chosen: it goes to all of them as it is. */
function sentInstead(video: Video, chosen: Rendition | null): Video {
  const recipe = chosen && parseRecipe(chosen.recipe)
  if (!recipe) return video
  const { renditions: _others, ...rest } = video
  const { width, height } = recipe
  return { ...rest, width, height, fps: fpsOf(recipe), bitrate: chosen.bitrate, videoCodec: 'h264' }
}

/** What the platform will refuse or show worse, before anyone has gone live. It keeps nobody from trying. */
function FitNotice({ video, presetId }: { video: Video; presetId: string }) {
  const preset = presetOf(presetId)
  if (!preset) return null
  const { findings } = fitOf(video, preset)
  const sent = recipeToSend(video, preset)
  const left = sent === null ? findings : findings.filter((finding) => !isMendable(finding))
  return (
    <>
      {sent !== null && <ReadyNote name={preset.name} recipe={sent} />}
      {left.length > 0 && <Findings video={video} preset={preset} findings={left} />}
    </>
  )
}

function ReadyNote({ name, recipe }: { name: string; recipe: string }) {
  return (
    <div
      role="note"
      aria-label={`Versi untuk ${name}`}
      className="flex gap-2.5 rounded-control bg-raised px-3.5 py-3 text-xs text-ink-soft"
    >
      <CircleCheck aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-accent-ink" />
      <p className="min-w-0 text-pretty tabular-nums">
        <span className="font-semibold text-ink">{RENDITION_TEXTS.readyFor(name)}.</span> Yang dikirim ke sana versi{' '}
        {recipeWords(recipe)}.
      </p>
    </div>
  )
}

interface FindingsProps {
  video: Video
  preset: PlatformPreset
  findings: readonly FitFinding[]
}

function Findings({ video, preset, findings }: FindingsProps) {
  // A server that knows of no versions makes none.
  const recipe = video.renditions ? recipeFor(video, preset) : null
  const mendable = recipe === null ? [] : findings.filter(isMendable)
  const isFrameable = (finding: FitFinding): boolean => finding.kind === 'upright' && video.renditions !== undefined
  const others = findings.filter((finding) => !mendable.includes(finding) && !isFrameable(finding))
  return (
    <div
      role="note"
      aria-label={`Kecocokan video dengan ${preset.name}`}
      className="flex gap-2.5 rounded-control bg-warn-wash px-3.5 py-3 text-xs text-warn-ink"
    >
      <Info aria-hidden size={16} strokeWidth={1.75} className="shrink-0" />
      <div className="grid min-w-0 flex-1 gap-1.5 text-pretty tabular-nums">
        {findings.map(({ kind, text }) => (
          <p key={kind}>{text}</p>
        ))}
        {others.length > 0 && (
          <p className="font-semibold">
            {FIT_TEXTS.wayOut(
              preset.name,
              others.map(({ wish }) => wish),
            )}
          </p>
        )}
        {findings.some(isFrameable) && (
          <div className="pt-1">
            <BrandVersionButton video={video} label="Buat versi tegak 9:16" shape="upright" />
          </div>
        )}
        {recipe !== null && mendable.length > 0 && (
          <Mending video={video} preset={preset} recipe={recipe} wishes={mendable.map(({ wish }) => wish)} />
        )}
      </div>
    </div>
  )
}

interface MendingProps {
  video: Video
  preset: PlatformPreset
  recipe: string
  wishes: readonly string[]
}

function Mending({ video, preset, recipe, wishes }: MendingProps) {
  const { order, remove, busy } = useRenditionActions(video.filename)
  const known = video.renditions?.find((one) => one.recipe === recipe)
  if (known && isUnderWay(known)) {
    return <UnderWay name={preset.name} made={known} busy={busy} onCancel={() => remove(recipe)} />
  }
  const made = parseRecipe(recipe)
  return (
    <div className="grid justify-items-start gap-1.5 pt-1">
      {known?.state === 'failed' && <p className="font-semibold">{known.reason}</p>}
      <Button look="secondary" size="small" busy={busy} disabled={busy} onClick={() => order(preset.id)}>
        {RENDITION_TEXTS.prepareFor(preset.name, wishes)}
      </Button>
      {made && (
        <p>
          Dibuat satu kali dan disimpan di samping video ini, sekitar{' '}
          {formatShortBytes(renditionBytes(made, video.duration ?? 0))}. Video aslinya tidak berubah.
        </p>
      )}
    </div>
  )
}

interface UnderWayProps {
  name: string
  made: Rendition
  busy: boolean
  onCancel: () => void
}

function UnderWay({ name, made, busy, onCancel }: UnderWayProps) {
  return (
    <div className="grid gap-1.5 pt-1">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p role="status" className="font-semibold">
          Versi untuk {name}: {renditionWords(made)}
        </p>
        <Button look="quiet" size="small" disabled={busy} onClick={onCancel}>
          Batalkan
        </Button>
      </div>
      <Bar percent={made.progress ?? 0} label={`Menyiapkan versi untuk ${name}`} />
      <p>Go Live sekarang tetap bisa: yang dikirim video apa adanya.</p>
    </div>
  )
}
