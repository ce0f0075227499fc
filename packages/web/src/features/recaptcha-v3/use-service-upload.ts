import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { isCancel } from 'axios'
import { useReducer, useRef } from 'react'
import { featureMessage } from '../../lib/feature-calls.ts'
import type { Say } from '../../lib/message.ts'
import { nextUpload } from '../library/upload-state.ts'
import { refusalOf } from '../library/video-file.ts'
import { uploadToService } from './api/service-videos.ts'

/** The specified upload in one call: unlike the Live screen's, it is over when the screen is left. */
export function useServiceUpload(apiKey: string, say: Say, afterwards: () => Promise<unknown>) {
  const [state, hear] = useReducer(nextUpload, { at: 'idle' })
  const stopper = useRef<AbortController | null>(null)

  async function send(file: File): Promise<void> {
    const ownStopper = new AbortController()
    stopper.current = ownStopper
    hear({ type: 'started', name: file.name, sizeBytes: file.size })
    try {
      const message = await uploadToService({
        apiKey,
        file,
        signal: ownStopper.signal,
        // The form around the file is sent too.
        onSent: (bytes) => hear({ type: 'progressed', sentBytes: Math.min(bytes, file.size), atMs: performance.now() }),
      })
      await afterwards()
      say(message || VIDEO_TEXTS.uploaded)
    } catch (error) {
      if (!isCancel(error)) say(featureMessage(error, VIDEO_TEXTS.uploadFailed), 'error')
    } finally {
      hear({ type: 'ended' })
    }
  }

  return {
    state,
    choose(file: File | undefined): void {
      const refusal = refusalOf(file)
      if (refusal !== null || !file) say(refusal ?? VIDEO_TEXTS.pickFile, 'error')
      else void send(file)
    },
    cancel: (): void => stopper.current?.abort(),
  }
}
