import { ACCOUNT_TEXTS } from '@siarin/contracts/texts'
import { queryOptions } from '@tanstack/react-query'
import { FeatureError, pageGet, pagePost } from '../../../lib/feature-calls.ts'

export interface TikTokAccount {
  account_id: string
  name: string
  auth?: string
  credentials?: { token?: string }
}

interface AccountsAnswer {
  success: boolean
  message: string
  data?: TikTokAccount[]
}

export const tikTokAccountsQuery = () =>
  queryOptions({
    queryKey: ['tiktok-accounts'],
    queryFn: async ({ signal }) => {
      const { data, message } = await pageGet<AccountsAnswer>('/fitur/tiktok/accounts', signal)
      return { accounts: data ?? [], message: message || (data ? foundWords(data.length) : ACCOUNT_TEXTS.noData) }
    },
  })

const KIND = 'tiktok'
const foundWords = (count: number): string => (count > 0 ? ACCOUNT_TEXTS.found(KIND, count) : ACCOUNT_TEXTS.none(KIND))

/** Where neither the server nor the error has a sentence. */
export const accountsFailure = (error: unknown): string => {
  const { message, kind } = error instanceof FeatureError ? error : { message: '', kind: 'failed' }
  return message || (kind === 'refused' ? ACCOUNT_TEXTS.listRefused : ACCOUNT_TEXTS.listFailed)
}

interface TikTokTargetAnswer {
  success: boolean
  message: string
  stream?: { rtmpSteam?: string }
}

const TARGET_GIVEN = 'Get RTMP Berhasil.'

/** What is said about a failure that brings no words of its own. */
const TARGET_FAILURES: Record<FeatureError['kind'], string> = {
  unreachable: 'Tidak ada respons dari server TikTok.',
  failed: 'Terjadi kesalahan saat mengambil RTMP akun.',
  refused: 'Gagal mendapatkan RTMP URL dari TikTok.',
  unreadable: 'Gagal mengambil RTMP.',
}

/** TikTok gives a new RTMP target for each broadcast. */
export async function requestTikTokTarget(account: { token: string; accountId: string }, title: string) {
  const { stream, message } = await pagePost<TikTokTargetAnswer>('/fitur/steamlabs/start', { ...account, title }).catch(
    (error: unknown) => {
      if (!(error instanceof FeatureError)) throw error
      const { kind } = error
      throw new FeatureError(kind === 'unreachable' ? TARGET_FAILURES[kind] : error.message || TARGET_FAILURES[kind])
    },
  )
  if (!stream?.rtmpSteam) throw new FeatureError('RTMP URL tidak ditemukan dalam respons.')
  return { target: stream.rtmpSteam, message: message || TARGET_GIVEN }
}
