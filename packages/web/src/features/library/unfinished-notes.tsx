import { Button } from '../../components/button.tsx'
import { logError } from '../../lib/log.ts'
import type { Unfinished } from './upload/unfinished.ts'
import { discardUnfinished, unfinishedUploads } from './upload/uploader.ts'

const NAME_SHOWN_MAX = 60

function UnfinishedNote({ upload }: { upload: Unfinished }) {
  const discard = (): void => {
    discardUnfinished(upload).catch((error: unknown) => logError('The unfinished upload could not be discarded', error))
  }
  return (
    <div className="mt-3 flex items-center gap-3 rounded-control bg-raised py-2 pr-2 pl-3.5">
      <p className="min-w-0 flex-1 text-xs text-ink-soft">
        Upload{' '}
        <bdi className="font-semibold break-all text-ink">
          {upload.name.length > NAME_SHOWN_MAX ? `${upload.name.slice(0, NAME_SHOWN_MAX - 3)}…` : upload.name}
        </bdi>{' '}
        belum selesai. Pilih file yang sama untuk melanjutkannya.
      </p>
      <Button look="quiet" size="small" onClick={discard}>
        Buang
      </Button>
    </div>
  )
}

/** What earlier visits have begun to send. A component that shows it follows the upload's state, with which it changes. */
export const UnfinishedNotes = () =>
  unfinishedUploads().map((left) => <UnfinishedNote key={left.fingerprint} upload={left} />)
