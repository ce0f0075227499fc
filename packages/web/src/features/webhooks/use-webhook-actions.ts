import type { WebhookEndpoint, WebhookSecretAnswer, WebhookTestAnswer } from '@siarin/contracts/webhooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askConfirmation } from '../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifySuccess, notifyWarning } from '../../lib/notify.ts'
import { removeWebhook, rotateSecret, setPaused, testWebhook, WEBHOOKS_KEY } from './api/webhooks.ts'

export const tellFailure = (error: unknown): void => {
  if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
}

/** What can be done with one webhook; what a test came to stays until the next one. */
export function useWebhookActions(
  { id, url, description }: WebhookEndpoint,
  onSecret: (made: WebhookSecretAnswer) => void,
) {
  const queryClient = useQueryClient()
  const [tested, setTested] = useState<WebhookTestAnswer | null>(null)
  const reload = () => queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY })
  const told = async (message: string): Promise<void> => {
    await reload()
    notifySuccess(message)
  }
  const test = useMutation({
    mutationFn: () => testWebhook(id),
    onMutate: () => setTested(null),
    onSuccess: setTested,
    onError: tellFailure,
    onSettled: reload,
  })
  const pause = useMutation({
    mutationFn: (paused: boolean) => setPaused(id, paused),
    onSuccess: told,
    onError: tellFailure,
  })
  const rotate = useMutation({
    mutationFn: () => rotateSecret(id),
    onSuccess: async (made) => {
      onSecret(made)
      await reload()
    },
    onError: tellFailure,
  })
  const remove = useMutation({ mutationFn: () => removeWebhook(id), onSuccess: told, onError: tellFailure })
  const name = description || url
  return {
    tested,
    testing: test.isPending,
    busy: [test, pause, rotate, remove].some(({ isPending }) => isPending),
    test: () => test.mutate(),
    pause: pause.mutate,
    async askRotate(): Promise<void> {
      const consequence =
        'Secret baru langsung dipakai. Yang lama masih ikut menandatangani selama 24 jam, jadi tidak ada kiriman yang ditolak selagi Anda menggantinya.'
      if (await askConfirmation('Ganti signing secret?', consequence, 'Ganti secret')) rotate.mutate()
    },
    async askRemove(): Promise<void> {
      const consequence = `"${name}" tidak dikabari lagi, dan catatan kirimannya ikut terhapus.`
      if (await askConfirmation('Hapus webhook ini?', consequence, 'Hapus')) remove.mutate()
    },
  }
}
