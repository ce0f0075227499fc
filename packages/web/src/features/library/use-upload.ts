import { noRoomReason } from '@siarin/contracts/room'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { videoReasonText } from '@siarin/contracts/video-reasons'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askConfirmation } from '../../lib/dialogs.ts'
import { FeatureError, featureMessage, isAboutPlan } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import type { Say } from '../../lib/message.ts'
import { notifyPlanLimit, notifySuccess, notifyWarning } from '../../lib/notify.ts'
import { standingQuery } from '../standing/api/standing.ts'
import { type Library, videosQuery } from './api/videos.ts'
import { roomPlanOf } from './room-plan.ts'
import type { SendingEnd } from './upload/sending-state.ts'
import { cancelUpload, isUploading, startUpload, useUploadState } from './upload/uploader.ts'
import { refusalOf } from './video-file.ts'

const CANCELLED = 'Upload dibatalkan.'
const BUSY = 'Tunggu sampai upload ini selesai, lalu pilih file berikutnya.'

const toast: Say = (text, tone, aboutPlan) => {
  if (tone !== 'error') notifySuccess(text)
  else if (aboutPlan) notifyPlanLimit(text)
  else notifyWarning(text)
}

/** The Live screen's banner while that screen is open, a toast on any other: an upload goes on there too. */
let tell: Say = toast

const freshLibrary = (queryClient: QueryClient): Promise<Library> =>
  queryClient.fetchQuery({ ...videosQuery(), staleTime: 0 })

/** Asks the server once more before it refuses: another tab may have made room. */
async function needRoom(queryClient: QueryClient, sizeBytes: number): Promise<void> {
  const fits = ({ storage }: Library): boolean => !storage || sizeBytes <= Math.max(0, storage.limit - storage.used)

  const known = queryClient.getQueryData(videosQuery().queryKey)
  if (known && fits(known)) return
  const fresh = await freshLibrary(queryClient)
  if (!fresh.storage || fits(fresh)) return
  const standing = await queryClient.fetchQuery(standingQuery()).catch(() => null)
  const plan = standing ? roomPlanOf(standing, fresh.storage) : null
  const words = videoReasonText(noRoomReason(fresh.storage, sizeBytes, plan))
  throw new FeatureError(words, 'refused', plan === null ? null : 'storage_full')
}

/** Chooses a file, sends it, and says how it went. */
export function useUpload(say: Say) {
  const queryClient = useQueryClient()
  const state = useUploadState()

  useEffect(() => {
    tell = say
    return () => {
      tell = toast
    }
  }, [say])

  async function upload(file: File): Promise<void> {
    const knownNames = () =>
      queryClient.getQueryData(videosQuery().queryKey)?.videos.map(({ filename }) => filename) ?? []
    const before = new Set(knownNames())
    const afterwards = async (end: SendingEnd): Promise<void> => {
      if (end === 'left') return
      if (end === 'cancelled') {
        tell(CANCELLED, 'info')
        return
      }
      await queryClient.invalidateQueries({ queryKey: videosQuery().queryKey })
      if (end === 'vanished' && knownNames().every((name) => before.has(name)))
        throw new FeatureError(VIDEO_TEXTS.cutOff)
      tell(VIDEO_TEXTS.uploaded)
    }
    try {
      await startUpload({ file, needRoom: (sizeBytes) => needRoom(queryClient, sizeBytes) }, afterwards)
    } catch (error) {
      if (error instanceof SessionEndedError) return
      tell(featureMessage(error, VIDEO_TEXTS.uploadFailed), 'error', isAboutPlan(error))
    }
  }

  return {
    state,
    choose(file: File | undefined): void {
      const refusal = isUploading() ? BUSY : refusalOf(file)
      if (refusal !== null || !file) say(refusal ?? VIDEO_TEXTS.pickFile, 'error')
      else void upload(file)
    },
    async cancel(name: string): Promise<void> {
      const consequence = 'Bagian yang sudah terkirim akan dibuang.'
      if (await askConfirmation(`Batalkan upload "${name}"?`, consequence, 'Batalkan upload', 'Lanjutkan'))
        cancelUpload()
    },
  }
}
