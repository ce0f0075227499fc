import { ACCOUNT_KINDS, type AccountKind } from '@siarin/contracts/accounts'
import { ACCOUNT_TEXTS } from '@siarin/contracts/texts'
import { queryOptions } from '@tanstack/react-query'
import { type AxiosRequestConfig, isCancel } from 'axios'
import { FeatureError } from '../../../lib/feature-calls.ts'
import { http, SessionEndedError, serverMessage } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'
import { type PlatformAccount, toAccounts } from '../platform-account.ts'

interface AccountAnswer {
  success?: boolean
  message?: string
  data?: unknown
}

/** What is said where the server gives no message: it refused, or it could not be asked. */
interface Failures {
  readonly refused: string
  readonly failed: string
}

/** These go to the page's own server with the session alone. */
async function send(config: AxiosRequestConfig, { refused, failed }: Failures): Promise<AccountAnswer> {
  const { data } = await http.request<AccountAnswer | null>(config).catch((error: unknown) => {
    if (error instanceof SessionEndedError || isCancel(error)) throw error
    logError(failed, error)
    throw new FeatureError(serverMessage(error) ?? failed)
  })
  if (!data?.success) throw new FeatureError(data?.message || refused)
  return data
}

export interface AccountList {
  readonly accounts: PlatformAccount[]
  readonly message: string
}

const LISTS_KEY = 'accounts'

export const accountsQuery = (kind: AccountKind) =>
  queryOptions({
    queryKey: [LISTS_KEY, kind],
    queryFn: async ({ signal }): Promise<AccountList> => {
      const failures = { refused: ACCOUNT_TEXTS.listRefused, failed: ACCOUNT_TEXTS.listFailed }
      const { data, message = '' } = await send({ url: `/fitur/${kind}/accounts`, signal }, failures)
      return Array.isArray(data)
        ? { accounts: toAccounts(data), message }
        : { accounts: [], message: ACCOUNT_TEXTS.noData }
    },
    refetchOnMount: 'always',
  })

/** Every list of accounts that a screen may hold; the Live screen has one of its own. */
export const ACCOUNT_LIST_KEYS: readonly (readonly string[])[] = [
  ...ACCOUNT_KINDS.map((kind) => accountsQuery(kind).queryKey),
  ['tiktok-accounts'],
]

export async function addAccount(kind: AccountKind, body: object): Promise<string> {
  const failures = { refused: ACCOUNT_TEXTS.addRefused, failed: ACCOUNT_TEXTS.addFailed }
  const { message } = await send({ method: 'POST', url: `/fitur/${kind}/add`, data: body }, failures)
  return message || ACCOUNT_TEXTS.added
}

export async function removeAccount({ platform, account_id }: PlatformAccount): Promise<string> {
  const failures = { refused: ACCOUNT_TEXTS.removeRefused, failed: ACCOUNT_TEXTS.removeFailed }
  const url = `/fitur/${platform}/${encodeURIComponent(account_id)}`
  const { message } = await send({ method: 'DELETE', url }, failures)
  return message || ACCOUNT_TEXTS.removed
}
