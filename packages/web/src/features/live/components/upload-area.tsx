import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { CloudUpload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Spinner } from '../../../components/spinner.tsx'
import { classes } from '../../../lib/classes.ts'
import type { Say } from '../state.ts'

interface UploadAreaProps {
  /** null: nothing is being uploaded. */
  progress: number | null
  onFile: (file: File) => void
  say: Say
}

/** Some systems know no type for these; the server looks into the file anyway. */
const VIDEO_ENDING = /\.(mp4|m4v|mkv|mov|flv|ts|webm|avi|mpe?g|3gp)$/i

const isVideo = (file: File): boolean =>
  file.type.startsWith('video/') || (file.type === '' && VIDEO_ENDING.test(file.name))

function ProgressBar({ progress }: { progress: number }) {
  return (
    <div className="mt-3 flex items-center gap-3">
      <div
        role="progressbar"
        aria-label="Upload"
        aria-valuenow={progress}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1.5 flex-1 overflow-hidden rounded-full bg-pressed"
      >
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${progress}%` }} />
      </div>
      <span className="w-10 text-right text-xs font-semibold tabular-nums">{progress}%</span>
    </div>
  )
}

export function UploadArea({ progress, onFile, say }: UploadAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  // dragenter and dragleave also fire for what lies inside the area, so they are counted.
  const [dragDepth, setDragDepth] = useState(0)
  const uploading = progress !== null

  const take = (files: FileList | null): void => {
    const file = files?.[0]
    if (!file || !isVideo(file)) say(VIDEO_TEXTS.pickFile, true)
    else if (!uploading) onFile(file)
  }

  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setDragDepth(0)
    take(event.dataTransfer.files)
  }

  return (
    <section aria-label="Upload video">
      <input
        ref={input}
        type="file"
        accept="video/*"
        hidden
        aria-label="File video"
        onChange={(event) => {
          take(event.currentTarget.files)
          // Otherwise choosing the same file again would change nothing.
          event.currentTarget.value = ''
        }}
      />
      <button
        type="button"
        disabled={uploading}
        data-dragging={dragDepth > 0}
        className={classes(
          'flex w-full items-center gap-4 rounded-card border border-dashed p-5 text-left transition-colors',
          dragDepth > 0 ? 'border-accent-ink bg-accent-wash' : 'border-line-strong bg-card hover:border-ink-soft',
        )}
        onClick={() => input.current?.click()}
        onDragEnter={() => setDragDepth((depth) => depth + 1)}
        onDragLeave={() => setDragDepth((depth) => Math.max(0, depth - 1))}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        <span className="grid size-11 shrink-0 place-items-center rounded-control bg-raised text-ink-soft">
          {uploading ? <Spinner /> : <CloudUpload aria-hidden size={20} strokeWidth={1.75} />}
        </span>
        <span className="min-w-0">
          <span className="block text-sm font-semibold">
            {uploading ? (progress < 100 ? 'Mengupload video…' : 'Memeriksa video…') : 'Klik atau seret video ke sini'}
          </span>
          <span className="block text-xs text-ink-soft">Satu file video setiap kali upload.</span>
        </span>
      </button>
      {progress !== null && progress > 0 && progress < 100 && <ProgressBar progress={progress} />}
    </section>
  )
}
