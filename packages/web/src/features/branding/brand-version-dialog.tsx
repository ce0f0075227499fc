import type { BrandKit, FrameLook } from '@siarin/contracts/branding'
import type { Size } from '@siarin/contracts/branding-places'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { Checkbox } from '../../components/checkbox.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Loading, Skeleton } from '../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifySuccess } from '../../lib/notify.ts'
import { useStanding } from '../standing/api/standing.ts'
import { brandKitQuery, orderBranded } from './api/brand-kit.ts'
import { brandingRefusal } from './brand-words.ts'
import { BrandPicture } from './components/brand-picture.tsx'
import { FrameFields, LogoFields, LowerThirdFields } from './components/look-fields.tsx'
import { PlanNote } from './components/plan-note.tsx'
import { isLineSmaller, type LookForm, lookOf, newLookForm } from './look-form.ts'

const SHAPES = [
  { value: 'own', label: 'Ukuran asli' },
  { value: 'upright', label: 'Tegak 9:16 untuk TikTok & Instagram' },
] as const

interface BrandVersionDialogProps {
  video: Size & { readonly filename: string }
  /** The address of the video's picture; null: it has none. */
  picture: string | null
  shape: LookForm['shape']
  onClose: () => void
  /** It is being made: the list of videos tells how far it is. */
  onOrdered: () => Promise<unknown>
}

interface PartProps {
  label: string
  on: boolean
  /** Why there is none to be had; null: there is. */
  missing: ReactNode
  onSwitch: (on: boolean) => void
  children: ReactNode
}

/** One thing that can stand on the picture. */
function Part({ label, on, missing, onSwitch, children }: PartProps) {
  return (
    <div className="grid gap-3 border-t border-line pt-3">
      <Checkbox
        label={label}
        checked={on && !missing}
        disabled={Boolean(missing)}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      {missing ?? (on && children)}
    </div>
  )
}

function WayToKit({ text }: { text: string }) {
  return (
    <p className="text-sm text-pretty text-ink-soft">
      {text}{' '}
      <Link to="/fitur/branding" className="font-semibold text-accent-ink underline underline-offset-2">
        Buka Branding
      </Link>
    </p>
  )
}

function useMissing(kit: BrandKit) {
  const standing = useStanding()
  const refusals = {
    logo: brandingRefusal('logo', kit.allows, standing),
    text: brandingRefusal('full', kit.allows, standing),
  }
  const said = (refusal: string | null, isThere: boolean, absent: string): ReactNode => {
    if (refusal) return <PlanNote text={refusal} />
    return isThere ? null : <WayToKit text={absent} />
  }
  return {
    logo: said(refusals.logo, kit.logo !== null, BRANDING_TEXTS.noLogo),
    // Said once where neither is to be had.
    text: refusals.logo ? (
      <p className="text-sm text-ink-soft">{refusals.text}</p>
    ) : (
      said(refusals.text, kit.text !== '', BRANDING_TEXTS.noText)
    ),
  }
}

interface LookControlsProps {
  form: LookForm
  kit: BrandKit
  video: Size
  onChange: (change: Partial<LookForm>) => void
}

function LookControls({ form, kit, video, onChange }: LookControlsProps) {
  const missing = useMissing(kit)
  const [colour, setColour] = useState(form.frame.colour)
  const typeColour = (typed: string): void => {
    setColour(typed)
    const whole = /^#[\da-f]{6}$/i.test(typed)
    if (whole) onChange({ frame: { ...form.frame, colour: typed } })
  }
  const changeFrame = (frame: FrameLook): void => onChange({ frame })
  return (
    <div className="grid min-w-0 content-start gap-4">
      <Segmented legend="Bentuk gambar" options={SHAPES} value={form.shape} onChange={(shape) => onChange({ shape })} />
      {form.shape === 'upright' && (
        <FrameFields value={form.frame} colour={colour} video={video} onChange={changeFrame} onColour={typeColour} />
      )}
      <Part label="Logo" on={form.withLogo} missing={missing.logo} onSwitch={(withLogo) => onChange({ withLogo })}>
        <LogoFields value={form.logo} onChange={(logo) => onChange({ logo })} />
      </Part>
      <Part
        label="Pita teks di bawah"
        on={form.withText}
        missing={missing.text}
        onSwitch={(withText) => onChange({ withText })}
      >
        <LowerThirdFields value={form.lowerThird} onChange={(lowerThird) => onChange({ lowerThird })} />
      </Part>
    </div>
  )
}

/** How the brand stands on a video, seen while it is placed; then it is made beside the video. It is mounted while it is open. */
export function BrandVersionDialog({ video, picture, shape, onClose, onOrdered }: BrandVersionDialogProps) {
  const { data: kit, error } = useQuery(brandKitQuery())
  const [form, setForm] = useState(() => newLookForm(shape))
  const look = kit ? lookOf(form, kit) : null
  const order = useMutation({
    mutationFn: async () => (look ? orderBranded(video.filename, look) : ''),
    onSuccess: async (said) => {
      await onOrdered()
      onClose()
      notifySuccess(said)
    },
  })
  const fault = order.error ?? (kit ? null : error)
  const failure = fault && !(fault instanceof SessionEndedError) ? featureMessage(fault, REQUEST_FAILED) : null
  const change = (part: Partial<LookForm>): void => {
    setForm({ ...form, ...part })
    order.reset()
  }
  return (
    <FormDialog
      wide
      title="Buat versi dengan brand"
      description={`Dibuat satu kali di samping ${video.filename}. Video aslinya tidak berubah.`}
      submit={{ label: 'Buat versi', busyLabel: 'Memesan...', disabled: look === null }}
      busy={order.isPending}
      failure={failure}
      onSubmit={(event) => {
        event.preventDefault()
        order.mutate()
      }}
      onClose={onClose}
    >
      {kit ? (
        <div className="grid min-w-0 gap-5 md:grid-cols-[minmax(0,1fr)_20rem] md:gap-8">
          {/* In sight while the controls below it are moved. */}
          <div className="sticky -top-6 z-10 -mx-6 grid content-start gap-2 self-start bg-card px-6 py-2 md:top-0 md:mx-0 md:px-0 md:py-0">
            <BrandPicture picture={picture} video={video} look={look} kit={kit} label="Pratinjau versi" />
            <p className="text-center text-xs text-pretty text-ink-soft">
              {look ? 'Letak dan ukurannya sama dengan hasilnya.' : BRANDING_TEXTS.lookEmpty}
              {isLineSmaller(look, kit, video) && ` ${BRANDING_TEXTS.textSmaller}`}
            </p>
          </div>
          <LookControls form={form} kit={kit} video={video} onChange={change} />
        </div>
      ) : (
        !failure && (
          <Loading>
            <Skeleton className="aspect-video w-full" />
          </Loading>
        )
      )}
    </FormDialog>
  )
}
