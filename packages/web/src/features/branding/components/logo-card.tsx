import type { BrandKit } from '@siarin/contracts/branding'
import { ImageUp, TriangleAlert } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card, CardHeading } from '../../../components/card.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { classes } from '../../../lib/classes.ts'
import { askConfirmation } from '../../../lib/dialogs.ts'
import { logoUrl, putLogo, removeLogo } from '../api/brand-kit.ts'
import { LOGO_TYPES, logoFault } from '../logo-file.ts'
import { useKitChange } from '../use-kit-change.ts'
import { PlanNote } from './plan-note.tsx'

/** Grounds that do not follow the theme: a video has its own. */
const GROUNDS = [
  { name: 'terang', className: 'bg-white' },
  { name: 'gelap', className: 'bg-[#111827]' },
] as const

function LogoOnGrounds({ logo }: { logo: NonNullable<BrandKit['logo']> }) {
  return (
    <div className="grid grid-cols-2 gap-3">
      {GROUNDS.map(({ name, className }) => (
        <div
          key={name}
          className={classes('grid h-32 place-items-center rounded-control border border-line p-4', className)}
        >
          <img src={logoUrl(logo)} alt={`Logo Anda di latar ${name}`} className="max-h-24 max-w-full object-contain" />
        </div>
      ))}
    </div>
  )
}

interface DropAreaProps {
  busy: boolean
  replaces: boolean
  onFile: (file: File | undefined) => void
}

function DropArea({ busy, replaces, onFile }: DropAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  const [dragging, setDragging] = useState(false)
  const leave = ({ currentTarget, relatedTarget }: DragEvent): void => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setDragging(false)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={LOGO_TYPES}
        hidden
        aria-label="File logo"
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0])
          // Otherwise choosing the same file again would change nothing.
          event.currentTarget.value = ''
        }}
      />
      <button
        type="button"
        disabled={busy}
        aria-busy={busy || undefined}
        data-dragging={dragging}
        className={classes(
          'flex w-full items-center gap-4 rounded-card border border-dashed p-5 text-left transition-colors',
          dragging ? 'border-accent-ink bg-accent-wash' : 'border-line-strong bg-card enabled:hover:border-ink-soft',
        )}
        onClick={() => input.current?.click()}
        onDragEnter={() => setDragging(true)}
        onDragLeave={leave}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          setDragging(false)
          onFile(event.dataTransfer.files[0])
        }}
      >
        <span className="grid size-11 shrink-0 place-items-center rounded-control bg-raised text-ink-soft">
          {busy ? <Spinner /> : <ImageUp aria-hidden size={20} strokeWidth={1.75} />}
        </span>
        <span className="min-w-0">
          <span className="block text-sm font-semibold">
            {busy
              ? 'Mengupload...'
              : replaces
                ? 'Klik atau seret logo pengganti ke sini'
                : 'Klik atau seret logo ke sini'}
          </span>
          <span className="block text-xs text-pretty text-ink-soft">
            PNG atau SVG, sampai 2 MB. Paling bagus dengan latar transparan.
          </span>
        </span>
      </button>
    </>
  )
}

const CONSEQUENCE = 'Versi video yang sudah jadi tetap memakainya. Versi baru dibuat tanpa logo.'

export function LogoCard({ kit, refusal }: { kit: BrandKit; refusal: string | null }) {
  const [fault, setFault] = useState<string | null>(null)
  const upload = useKitChange(putLogo)
  const removal = useKitChange((_: null) => removeLogo())
  const said = fault ?? upload.failure ?? removal.failure

  function choose(file: File | undefined): void {
    if (!file) return
    upload.forget()
    removal.forget()
    const found = logoFault(file)
    setFault(found)
    if (found === null) upload.change(file)
  }
  async function askRemoval(): Promise<void> {
    if (await askConfirmation('Hapus logo?', CONSEQUENCE, 'Hapus')) removal.change(null)
  }

  return (
    <Card className="p-6">
      <CardHeading
        title="Logo"
        lead="Dipasang di salah satu sudut gambar."
        action={
          kit.logo && (
            <Button
              look="danger"
              size="small"
              busy={removal.busy}
              disabled={removal.busy}
              onClick={() => void askRemoval()}
            >
              Hapus logo
            </Button>
          )
        }
      />
      <div className="mt-5 grid gap-4">
        {kit.logo && <LogoOnGrounds logo={kit.logo} />}
        {refusal ? (
          <PlanNote text={refusal} />
        ) : (
          <DropArea busy={upload.busy} replaces={kit.logo !== null} onFile={choose} />
        )}
        {said && (
          <p role="alert" className="flex gap-2 text-sm font-medium text-pretty text-warn-ink">
            <TriangleAlert aria-hidden size={18} strokeWidth={1.75} className="mt-px shrink-0" />
            {said}
          </p>
        )}
      </div>
    </Card>
  )
}
