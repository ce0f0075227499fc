import { CloudUpload } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../lib/classes.ts'
import { logError } from '../../../lib/log.ts'
import type { Unfinished } from '../upload/unfinished.ts'
import { discardUnfinished, unfinishedUploads, useUploadState } from '../upload/uploader.ts'
import { ACCEPTED_FILES } from '../video-file.ts'
import { UploadProgress } from './upload-progress.tsx'

interface UploadAreaProps {
  onFile: (file: File | undefined) => void
  onCancel: (name: string) => void
}

/** A file that is dropped beside the area would be opened by the browser, in this page's place. */
function useNoStrayDrops(): void {
  useEffect(() => {
    const hold = (event: Event): void => event.preventDefault()
    window.addEventListener('dragover', hold)
    window.addEventListener('drop', hold)
    return () => {
      window.removeEventListener('dragover', hold)
      window.removeEventListener('drop', hold)
    }
  }, [])
}

function UnfinishedNote({ upload }: { upload: Unfinished }) {
  const discard = (): void => {
    discardUnfinished(upload).catch((error: unknown) => logError('The unfinished upload could not be discarded', error))
  }
  return (
    <div className="mt-3 flex items-center gap-3 rounded-control bg-raised py-2 pr-2 pl-3.5">
      <p className="min-w-0 flex-1 text-xs text-ink-soft">
        Upload{' '}
        <bdi className="font-semibold break-all text-ink">
          {upload.name.length > 60 ? `${upload.name.slice(0, 57)}…` : upload.name}
        </bdi>{' '}
        belum selesai. Pilih file yang sama untuk melanjutkannya.
      </p>
      <Button look="quiet" size="small" onClick={discard}>
        Buang
      </Button>
    </div>
  )
}

export function UploadArea({ onFile, onCancel }: UploadAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  const upload = useUploadState()
  // dragenter and dragleave also fire for what lies inside the area, so they are counted.
  const [dragDepth, setDragDepth] = useState(0)
  useNoStrayDrops()

  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setDragDepth(0)
    onFile(event.dataTransfer.files[0])
  }

  return (
    <section aria-label="Upload video" onDrop={drop}>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_FILES}
        hidden
        aria-label="File video"
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0])
          // Otherwise choosing the same file again would change nothing.
          event.currentTarget.value = ''
        }}
      />
      {upload.at === 'idle' ? (
        <button
          type="button"
          data-dragging={dragDepth > 0}
          className={classes(
            'flex w-full items-center gap-4 rounded-card border border-dashed p-5 text-left transition-colors',
            dragDepth > 0 ? 'border-accent-ink bg-accent-wash' : 'border-line-strong bg-card hover:border-ink-soft',
          )}
          onClick={() => input.current?.click()}
          onDragEnter={() => setDragDepth((depth) => depth + 1)}
          onDragLeave={() => setDragDepth((depth) => Math.max(0, depth - 1))}
          onDragOver={(event) => event.preventDefault()}
        >
          <span className="grid size-11 shrink-0 place-items-center rounded-control bg-raised text-ink-soft">
            <CloudUpload aria-hidden size={20} strokeWidth={1.75} />
          </span>
          <span className="min-w-0">
            <span className="block text-sm font-semibold">Klik atau seret video ke sini</span>
            <span className="block text-xs text-ink-soft">
              Satu file setiap kali. Kalau koneksi putus, upload dilanjutkan sendiri.
            </span>
          </span>
        </button>
      ) : (
        <UploadProgress upload={upload} onCancel={() => onCancel(upload.transfer.name)} />
      )}
      {unfinishedUploads().map((left) => (
        <UnfinishedNote key={left.fingerprint} upload={left} />
      ))}
    </section>
  )
}
