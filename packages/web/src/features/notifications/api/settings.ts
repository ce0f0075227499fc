import type { AlertSettings, AlertSettingsAnswer } from '@siarin/contracts/alerts'
import { queryOptions } from '@tanstack/react-query'
import { featureGet, featurePut } from '../../../lib/feature-calls.ts'
import { zoneHere } from '../../schedules/zones.ts'
import { firstZone } from '../settings-form.ts'

const SETTINGS = '/fitur/alert/settings'

export const alertSettingsQuery = () =>
  queryOptions({
    queryKey: ['alert-settings'],
    queryFn: async ({ signal }): Promise<AlertSettings> => {
      const { data, saved } = await featureGet<AlertSettingsAnswer>(SETTINGS, signal)
      const zone = firstZone({ zone: data.zone, saved }, zoneHere())
      if (zone === null) return data
      // What cannot be saved now is tried again with the next visit.
      return (await saveAlertSettings({ ...data, zone }).catch(() => ({ data }))).data
    },
    refetchOnMount: 'always',
  })

export const saveAlertSettings = (settings: AlertSettings): Promise<AlertSettingsAnswer> =>
  featurePut<AlertSettingsAnswer>(SETTINGS, settings)
