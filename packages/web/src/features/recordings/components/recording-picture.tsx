import type { Recording } from '@siarin/contracts/recordings'
import { Film } from 'lucide-react'
import { useState } from 'react'
import { pictureUrl } from '../api/recordings.ts'

/** The picture of a recording, or its sign where there is none. */
export function RecordingPicture({ recording }: { recording: Pick<Recording, 'recordingId' | 'hasPicture'> }) {
  const [broken, setBroken] = useState(false)
  return (
    <span className="grid h-[54px] w-24 shrink-0 place-items-center overflow-hidden rounded-[8px] bg-pressed text-ink-soft sm:h-[72px] sm:w-32">
      {recording.hasPicture && !broken ? (
        <img
          src={pictureUrl(recording.recordingId)}
          alt=""
          width={128}
          height={72}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
      ) : (
        <Film aria-hidden size={20} strokeWidth={1.75} />
      )}
    </span>
  )
}
