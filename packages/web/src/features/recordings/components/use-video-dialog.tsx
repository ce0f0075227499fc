import { FILENAME_MAX } from '@siarin/contracts/limits'
import type { RecordingDetails } from '@siarin/contracts/recordings'
import type { Video } from '@siarin/contracts/videos'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Field, Input } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { videosQuery } from '../../library/api/videos.ts'
import { recordingToVideo } from '../api/recordings.ts'
import type { Choice } from '../choice.ts'
import { videoName } from '../recording-words.ts'

interface UseVideoDialogProps {
  recording: RecordingDetails
  choice: Choice
  /** What is chosen, in words. */
  part: string
  onMade: (video: Video) => void
  onClose: () => void
}

/** Makes a video of the library out of what is chosen. */
export function UseVideoDialog({ recording, choice, part, onMade, onClose }: UseVideoDialogProps) {
  const queryClient = useQueryClient()
  const [name, setName] = useState(() => videoName(recording).slice(0, FILENAME_MAX))
  const use = useMutation({
    mutationFn: (filename: string) =>
      recordingToVideo(recording.recordingId, { ...choice, ...(filename && { filename }) }),
    onSuccess: async (video) => {
      await queryClient.invalidateQueries({ queryKey: videosQuery().queryKey })
      onMade(video)
    },
  })
  const refusal = use.error instanceof SessionEndedError ? null : use.error
  return (
    <FormDialog
      title="Pakai sebagai video"
      description={`${part}. Videonya masuk ke perpustakaan Anda dan memakai ruang penyimpanan.`}
      submit={{ label: 'Buat video', busyLabel: 'Membuat...', disabled: false }}
      busy={use.isPending}
      failure={refusal && featureMessage(refusal, REQUEST_FAILED)}
      onSubmit={(event) => {
        event.preventDefault()
        use.mutate(name.trim())
      }}
      onClose={onClose}
    >
      <Field id="recording-video-name" label="Nama video" hint="Kosongkan untuk nama dari judul dan tanggalnya.">
        <Input
          type="text"
          dir="auto"
          value={name}
          maxLength={FILENAME_MAX}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Field>
    </FormDialog>
  )
}
