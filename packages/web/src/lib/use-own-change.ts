import { useMutation } from '@tanstack/react-query'
import { SessionEndedError, serverMessage } from './http.ts'
import { logError } from './log.ts'

const FAILED = 'Server belum bisa dihubungi. Periksa koneksi Anda, lalu coba lagi.'

/** A change of one's own account: sent, told, or refused with a reason that stands in the form. */
export function useOwnChange<Body>(send: (body: Body) => Promise<string>, onDone: (message: string) => void) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: (failure) => {
      if (!(failure instanceof SessionEndedError)) logError('The account could not be changed', failure)
    },
  })
  const failure = error && !(error instanceof SessionEndedError) ? (serverMessage(error) ?? FAILED) : null
  return { mutate, busy: isPending, failure }
}
