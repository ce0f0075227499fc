import {
  type FrameLook,
  LOGO_MARGIN_MAX,
  LOGO_OPACITY_LEAST,
  LOGO_SIZE,
  LOWER_THIRD_MARGIN_MAX,
  LOWER_THIRD_SIZE,
  type LogoLook,
  type LowerThirdLook,
} from '@siarin/contracts/branding'
import type { Size } from '@siarin/contracts/branding-places'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { useId } from 'react'
import { RangeField } from '../../../components/range-field.tsx'
import { Segmented } from '../../../components/segmented.tsx'
import { classes } from '../../../lib/classes.ts'
import { cropWay } from '../look-form.ts'
import { ColourField } from './colour-field.tsx'

interface FieldsProps<T> {
  value: T
  onChange: (value: T) => void
}

/** As they lie on the picture. */
export const CORNERS = [
  { value: 'tl', label: 'Kiri atas' },
  { value: 'tr', label: 'Kanan atas' },
  { value: 'bl', label: 'Kiri bawah' },
  { value: 'br', label: 'Kanan bawah' },
] as const

function CornerField({ value, onChange }: FieldsProps<LogoLook['corner']>) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">Sudut</legend>
      <div className="grid grid-cols-2 gap-1.5">
        {CORNERS.map((corner) => (
          <label
            key={corner.value}
            className={classes(
              'relative grid h-9 cursor-pointer place-items-center rounded-control border border-line-strong text-xs font-semibold text-ink-soft transition-colors pointer-coarse:h-11',
              'has-checked:border-accent has-checked:bg-accent-wash has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={corner.value}
              checked={value === corner.value}
              className="sr-only"
              onChange={() => onChange(corner.value)}
            />
            {corner.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function LogoFields({ value, onChange }: FieldsProps<LogoLook>) {
  const change = (part: Partial<LogoLook>): void => onChange({ ...value, ...part })
  return (
    <>
      <CornerField value={value.corner} onChange={(corner) => change({ corner })} />
      <RangeField
        label="Lebar logo"
        min={LOGO_SIZE.least}
        max={LOGO_SIZE.most}
        value={value.size}
        onChange={(size) => change({ size })}
      />
      <RangeField
        label="Jarak dari tepi"
        min={0}
        max={LOGO_MARGIN_MAX}
        value={value.margin}
        onChange={(margin) => change({ margin })}
      />
      <RangeField
        label="Kepekatan logo"
        min={LOGO_OPACITY_LEAST}
        max={100}
        value={value.opacity}
        onChange={(opacity) => change({ opacity })}
      />
    </>
  )
}

const ALIGNS = [
  { value: 'left', label: 'Kiri' },
  { value: 'center', label: 'Tengah' },
  { value: 'right', label: 'Kanan' },
] as const

export function LowerThirdFields({ value, onChange }: FieldsProps<LowerThirdLook>) {
  const change = (part: Partial<LowerThirdLook>): void => onChange({ ...value, ...part })
  return (
    <>
      <Segmented legend="Letak teks" options={ALIGNS} value={value.align} onChange={(align) => change({ align })} />
      <RangeField
        label="Ukuran huruf"
        min={LOWER_THIRD_SIZE.least}
        max={LOWER_THIRD_SIZE.most}
        value={value.size}
        onChange={(size) => change({ size })}
      />
      <RangeField
        label="Jarak dari bawah"
        min={0}
        max={LOWER_THIRD_MARGIN_MAX}
        value={value.margin}
        onChange={(margin) => change({ margin })}
      />
      <RangeField
        label="Kepekatan pita"
        min={0}
        max={100}
        value={value.opacity}
        onChange={(opacity) => change({ opacity })}
      />
    </>
  )
}

const FITS = [
  { value: 'blur', label: 'Latar buram' },
  { value: 'bars', label: 'Latar warna' },
  { value: 'crop', label: 'Potong' },
] as const

const ENDS = { sideways: ['Kiri', 'Kanan'], upwards: ['Atas', 'Bawah'] } as const

interface FrameFieldsProps extends FieldsProps<FrameLook> {
  /** May be half typed. */
  colour: string
  onColour: (colour: string) => void
  video: Size
}

export function FrameFields({ value, colour, video, onChange, onColour }: FrameFieldsProps) {
  const way = cropWay(video)
  return (
    <>
      <Segmented
        legend="Isi gambar tegak"
        options={FITS}
        value={value.fit}
        onChange={(fit) => onChange({ ...value, fit })}
      />
      {value.fit === 'bars' && (
        <ColourField
          id="frame-colour"
          label="Warna latar"
          value={colour}
          fault={colour === value.colour ? null : BRANDING_TEXTS.colourInvalid}
          onChange={onColour}
        />
      )}
      {value.fit === 'crop' && way && (
        <RangeField
          label="Bagian yang terlihat"
          min={0}
          max={100}
          value={value.focus}
          ends={ENDS[way]}
          onChange={(focus) => onChange({ ...value, focus })}
        />
      )}
    </>
  )
}
