import type { ReportMailAnswer, ReportMailBody } from '@siarin/contracts/analytics'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { featureGet, featurePut } from '../../../lib/feature-calls.ts'
import { zoneHere } from '../range.ts'

type MailAnswer = z.infer<typeof ReportMailAnswer>

const PATH = '/fitur/analytics/report-mail'

export const reportMailQuery = () =>
  queryOptions({
    queryKey: ['analytics', 'report-mail'],
    queryFn: async ({ signal }) => (await featureGet<MailAnswer>(PATH, signal)).data,
  })

export const changeReportMail = (on: boolean): Promise<MailAnswer> =>
  featurePut<MailAnswer>(PATH, { on, zone: zoneHere() } satisfies ReportMailBody)
