import { WifiOff } from 'lucide-react'
import { Bar } from '../../../components/bar.tsx'
import { Button } from '../../../components/button.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { classes } from '../../../lib/classes.ts'
import { formatShortBytes, formatTimeLeft } from '../../../lib/format.ts'
import { bytesPerSecond, percentOf, secondsLeft, type Transfer, type UploadState } from '../upload-state.ts'

type Running = Exclude<UploadState, { at: 'idle' }>

function headline({ at, transfer }: Running): string {
  if (at === 'reconnecting') return 'Koneksi terputus, menyambung ulang…'
  if (at === 'checking') return 'Memeriksa video…'
  return transfer.resumed ? 'Melanjutkan upload…' : 'Mengupload video…'
}

function figures(transfer: Transfer): string {
  const speed = bytesPerSecond(transfer)
  const left = secondsLeft(transfer)
  return [
    `${formatShortBytes(transfer.sentBytes)} dari ${formatShortBytes(transfer.sizeBytes)}`,
    speed !== null && `${formatShortBytes(speed)}/s`,
    left !== null && formatTimeLeft(left),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Stands in the upload area's place while a file is on its way. */
export function UploadProgress({ upload, onCancel }: { upload: Running; onCancel: () => void }) {
  const { at, transfer } = upload
  const percent = percentOf(transfer)
  const cut = at === 'reconnecting'

  return (
    <div className="rounded-card border border-line bg-card p-5">
      <div className="flex items-center gap-4">
        <span
          className={classes(
            'grid size-11 shrink-0 place-items-center rounded-control',
            cut ? 'bg-warn-wash text-warn-ink' : 'bg-raised text-ink-soft',
          )}
        >
          {cut ? <WifiOff aria-hidden size={20} strokeWidth={1.75} /> : <Spinner />}
        </span>
        <div className="min-w-0 flex-1">
          <p role="status" className={classes('text-sm font-semibold', cut && 'text-warn-ink')}>
            {headline(upload)}
          </p>
          <p dir="auto" className="truncate text-left text-xs text-ink-soft" title={transfer.name}>
            {transfer.name}
          </p>
        </div>
        {at !== 'checking' && (
          <Button look="secondary" size="small" onClick={onCancel}>
            Batalkan
          </Button>
        )}
      </div>
      {percent > 0 && percent < 100 && (
        <div className="mt-4">
          <div className="flex items-center gap-3">
            <div
              role="progressbar"
              aria-label="Upload"
              aria-valuenow={Math.floor(percent)}
              aria-valuemin={0}
              aria-valuemax={100}
              className="flex-1"
            >
              <Bar percent={percent} warning={cut} className="h-1.5" />
            </div>
            <span className="w-10 text-right text-xs font-semibold tabular-nums">{Math.floor(percent)}%</span>
          </div>
          <p className="mt-1.5 text-xs text-ink-soft tabular-nums" data-testid="upload-figures">
            {figures(transfer)}
          </p>
        </div>
      )}
    </div>
  )
}
