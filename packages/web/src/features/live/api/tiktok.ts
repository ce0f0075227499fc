import { queryOptions } from '@tanstack/react-query'
import { CONNECTION_FAILED, FeatureError, featureGet, featurePost } from '../../../lib/feature-calls.ts'
import { logError } from '../../../lib/log.ts'

export interface TikTokAccount {
  account_id: string
  name: string
  auth?: string
  credentials?: { token?: string }
}

/** Accounts are a later feature of the server; until it answers, there are none. */
export const tikTokAccountsQuery = () =>
  queryOptions({
    queryKey: ['tiktok-accounts'],
    queryFn: async ({ signal }): Promise<TikTokAccount[]> => {
      try {
        const answer = await featureGet<{ success: boolean; message: string; data?: TikTokAccount[] }>(
          '/fitur/tiktok/accounts',
          signal,
        )
        return answer.data ?? []
      } catch (error) {
        logError('The TikTok accounts could not be loaded', error)
        return []
      }
    },
  })

interface TikTokTargetAnswer {
  success: boolean
  message: string
  stream?: { rtmpSteam?: string }
}

/** TikTok gives a new RTMP target for each broadcast. */
export async function requestTikTokTarget(token: string, title: string): Promise<string> {
  try {
    const { stream } = await featurePost<TikTokTargetAnswer>('/fitur/steamlabs/start', { token, title })
    if (!stream?.rtmpSteam) throw new FeatureError('RTMP URL tidak ditemukan dalam respons.')
    return stream.rtmpSteam
  } catch (error) {
    if (!(error instanceof FeatureError)) throw error
    if (error.message === CONNECTION_FAILED) throw new FeatureError('Tidak ada respons dari server TikTok.')
    throw new FeatureError(error.message || 'Gagal mendapatkan RTMP URL dari TikTok.')
  }
}
