import { CloudUpload } from 'lucide-react'
import { type DragEvent, useEffect, useRef } from 'react'
import { classes } from '../../lib/classes.ts'
import { UploadProgress } from './components/upload-progress.tsx'
import type { UploadState } from './upload-state.ts'
import { ACCEPTED_FILES } from './video-file.ts'

const INPUT_ID = 'video-file'

/** For a button elsewhere that asks for a video. */
export const openFileChooser = (): void => document.getElementById(INPUT_ID)?.click()

interface UploadAreaProps {
  upload: UploadState
  dragging: boolean
  hint: string
  onDragging: (dragging: boolean) => void
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

export function UploadArea({ upload, dragging, hint, onDragging, onFile, onCancel }: UploadAreaProps) {
  const input = useRef<HTMLInputElement>(null)
  useNoStrayDrops()

  const drop = (event: DragEvent): void => {
    event.preventDefault()
    onDragging(false)
    onFile(event.dataTransfer.files[0])
  }
  const leave = ({ currentTarget, relatedTarget }: DragEvent): void => {
    // Also said when the file passes over what lies inside.
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) onDragging(false)
  }

  return (
    <section aria-label="Upload video" onDrop={drop}>
      <input
        ref={input}
        id={INPUT_ID}
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
          data-dragging={dragging}
          className={classes(
            'flex w-full items-center gap-4 rounded-card border border-dashed p-5 text-left transition-colors',
            dragging ? 'border-accent-ink bg-accent-wash' : 'border-line-strong bg-card hover:border-ink-soft',
          )}
          onClick={() => input.current?.click()}
          onDragEnter={() => onDragging(true)}
          onDragLeave={leave}
          onDragOver={(event) => event.preventDefault()}
        >
          <span className="grid size-11 shrink-0 place-items-center rounded-control bg-raised text-ink-soft">
            <CloudUpload aria-hidden size={20} strokeWidth={1.75} />
          </span>
          <span className="min-w-0">
            <span className="block text-sm font-semibold">Klik atau seret video ke sini</span>
            <span className="block text-xs text-ink-soft">{hint}</span>
          </span>
        </button>
      ) : (
        <UploadProgress upload={upload} onCancel={() => onCancel(upload.transfer.name)} />
      )}
    </section>
  )
}
