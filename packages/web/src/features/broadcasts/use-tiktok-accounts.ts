import { useQuery } from '@tanstack/react-query'
import { SessionEndedError } from '../../lib/http.ts'
import { foundTone, type Say } from '../../lib/message.ts'
import { accountsFailure, tikTokAccountsQuery } from './api/tiktok.ts'

/** The accounts that the Go form offers. Loaded when they are asked for: when TikTok is chosen. */
export function useTikTokAccounts(say: Say) {
  const accounts = useQuery({ ...tikTokAccountsQuery(), enabled: false })
  return {
    list: accounts.data?.accounts,
    loading: accounts.isFetching,
    failed: accounts.isError,
    reload: () => {
      void accounts.refetch().then(({ data, error }) => {
        if (error instanceof SessionEndedError) return
        if (error || !data) say(accountsFailure(error), 'error')
        else say(data.message, foundTone(data.accounts))
      })
    },
  }
}
