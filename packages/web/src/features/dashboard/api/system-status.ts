import { STATUS_POLL_MS, type SystemStatusAnswer } from '@siarin/contracts/system'
import { queryOptions } from '@tanstack/react-query'
import { isCancel } from 'axios'
import { http, SessionEndedError } from '../../../lib/http.ts'
import { logError } from '../../../lib/log.ts'

/** What another server of the same API may leave out. */
export type SystemStatus = Omit<SystemStatusAnswer, 'history' | 'disk'> &
  Partial<Pick<SystemStatusAnswer, 'history'>> & {
    disk: Omit<SystemStatusAnswer['disk'], 'available'> & Partial<Pick<SystemStatusAnswer['disk'], 'available'>>
  }

/** Asked again and again for as long as a screen shows it. A failure is only logged: what was known stays. */
export const systemStatusQuery = () =>
  queryOptions({
    queryKey: ['system-status'],
    queryFn: async ({ signal }): Promise<SystemStatus> => {
      try {
        return (await http.get<SystemStatus>('/fitur/system/status', { signal })).data
      } catch (error) {
        if (!isCancel(error) && !(error instanceof SessionEndedError))
          logError('The system status could not be loaded', error)
        throw error
      }
    },
    refetchInterval: STATUS_POLL_MS,
    refetchOnMount: 'always',
  })
