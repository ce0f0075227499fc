import type { AlertChannel, AlertTestAnswer } from '@siarin/contracts/alerts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askConfirmation } from '../../lib/dialogs.ts'
import { featureMessage, REQUEST_FAILED } from '../../lib/feature-calls.ts'
import { SessionEndedError } from '../../lib/http.ts'
import { notifySuccess, notifyWarning } from '../../lib/notify.ts'
import { keptChannel, unsubscribeHere } from '../../lib/own-push.ts'
import { ALERTS_KEY } from './api/alerts.ts'
import { changeChannel, channelsQuery, removeChannel, testChannel } from './api/channels.ts'
import { channelTitle } from './channel-words.ts'

export const tellFailure = (error: unknown): void => {
  if (!(error instanceof SessionEndedError)) notifyWarning(featureMessage(error, REQUEST_FAILED))
}

/** What a test came to: the server's sentence, and below it the other side's own words. */
export interface TestResult {
  readonly ok: boolean
  readonly text: string
  readonly answer: string
}

const resultOf = ({ message, data }: AlertTestAnswer): TestResult => ({
  ok: data.outcome === 'sent',
  text: message,
  answer: data.answer,
})

export function useChannelActions(channel: AlertChannel) {
  const { id, kind } = channel
  const queryClient = useQueryClient()
  const [result, setResult] = useState<TestResult | null>(null)
  const reload = () => queryClient.invalidateQueries({ queryKey: channelsQuery().queryKey })
  const test = useMutation({
    mutationFn: () => testChannel(id),
    onMutate: () => setResult(null),
    onSuccess: (answer) => setResult(resultOf(answer)),
    onError: tellFailure,
    onSettled: async () => {
      await reload()
      // A channel that turned out to be gone is said in the bell too.
      await queryClient.invalidateQueries({ queryKey: ALERTS_KEY })
    },
  })
  const turn = useMutation({
    mutationFn: (on: boolean) => changeChannel(id, { on }),
    onSuccess: reload,
    onError: tellFailure,
  })
  const remove = useMutation({
    mutationFn: async () => {
      const message = await removeChannel(id)
      if (kind === 'push' && keptChannel() === id) await unsubscribeHere()
      return message
    },
    onSuccess: async (message) => {
      await reload()
      notifySuccess(message)
    },
    onError: tellFailure,
  })
  return {
    result,
    testing: test.isPending,
    busy: test.isPending || turn.isPending || remove.isPending,
    test: () => test.mutate(),
    turn: turn.mutate,
    async askRemove(): Promise<void> {
      const consequence = `Kabar tidak lagi dikirim ke "${channelTitle(channel)}". Anda bisa menghubungkannya lagi kapan saja.`
      if (await askConfirmation('Hapus saluran ini?', consequence, 'Hapus')) remove.mutate()
    },
  }
}
