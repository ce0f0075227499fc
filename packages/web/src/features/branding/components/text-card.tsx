import { BRAND_TEXT_MAX, BrandColours, type BrandKit, ChangeBrandKitBody } from '@siarin/contracts/branding'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'
import { Field, Input } from '../../../components/field.tsx'
import { changeKit } from '../api/brand-kit.ts'
import { useKitChange } from '../use-kit-change.ts'
import { ColourField } from './colour-field.tsx'
import { PlanNote } from './plan-note.tsx'

interface Typed {
  readonly text: string
  readonly colours: BrandColours
}

const isColour = (colour: string): boolean => BrandColours.shape.text.safeParse(colour).success

const textFault = (text: string): string | null =>
  ChangeBrandKitBody.shape.text.safeParse(text).error?.issues[0]?.message ?? null

/** The line as it stands on a picture. */
function Band({ text, colours }: Typed) {
  const shown = text.trim() || 'Teks brand Anda'
  return (
    <p
      dir="auto"
      data-testid="band"
      className="truncate rounded-control px-4 py-3 text-base font-bold"
      style={{
        ...(isColour(colours.text) && { color: colours.text }),
        ...(isColour(colours.background) && { backgroundColor: colours.background }),
      }}
    >
      {shown}
    </p>
  )
}

const SAME = (one: Typed, other: Typed): boolean => JSON.stringify(one) === JSON.stringify(other)

export function TextCard({ kit, refusal }: { kit: BrandKit; refusal: string | null }) {
  const kept: Typed = { text: kit.text, colours: kit.colours }
  const [typed, setTyped] = useState(kept)
  const { change, busy, failure, forget } = useKitChange(changeKit)
  const { text, colours } = typed
  const faults = {
    line: textFault(text),
    text: isColour(colours.text) ? null : BRANDING_TEXTS.colourInvalid,
    background: isColour(colours.background) ? null : BRANDING_TEXTS.colourInvalid,
  }
  const isFaulty = Object.values(faults).some((fault) => fault !== null)
  const type = (part: Partial<Typed>): void => {
    setTyped({ ...typed, ...part })
    forget()
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (!isFaulty)
      change(typed, { onSuccess: ({ kit: saved }) => setTyped({ text: saved.text, colours: saved.colours }) })
  }
  return (
    <Card className="p-6">
      <CardHeading title="Teks dan warna" lead="Satu baris di pita bawah gambar: nama, slogan, atau nomor Anda." />
      <form noValidate className="mt-5 grid gap-4" onSubmit={save}>
        {refusal && <PlanNote text={refusal} />}
        <Band {...typed} />
        <Field
          id="brand-text"
          label="Teks brand"
          hint={`Sampai ${BRAND_TEXT_MAX} karakter. Kosongkan bila tidak perlu.`}
          fault={faults.line ?? failure}
        >
          <Input
            dir="auto"
            value={text}
            maxLength={BRAND_TEXT_MAX}
            autoComplete="off"
            disabled={refusal !== null}
            onChange={(event) => type({ text: event.currentTarget.value })}
          />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <ColourField
            id="brand-colour-text"
            label="Warna teks"
            value={colours.text}
            fault={faults.text}
            disabled={refusal !== null}
            onChange={(colour) => type({ colours: { ...colours, text: colour } })}
          />
          <ColourField
            id="brand-colour-background"
            label="Warna pita"
            value={colours.background}
            fault={faults.background}
            disabled={refusal !== null}
            onChange={(colour) => type({ colours: { ...colours, background: colour } })}
          />
        </div>
        <div className="flex justify-end">
          <Button type="submit" busy={busy} disabled={busy || isFaulty || refusal !== null || SAME(typed, kept)}>
            {busy ? 'Menyimpan...' : 'Simpan'}
          </Button>
        </div>
      </form>
    </Card>
  )
}
