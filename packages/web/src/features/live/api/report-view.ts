import type { ReportActivityBody } from '@siarin/contracts/activity'
import { useEffect } from 'react'
import { featurePost } from '../../../lib/feature-calls.ts'
import { logError } from '../../../lib/log.ts'

/** Tells the server that this screen is being looked at. Nobody waits for it. */
export function useReportView(kind: ReportActivityBody['kind']): void {
  useEffect(() => {
    featurePost('/fitur/activity', { kind }, 'load').catch((error: unknown) =>
      logError('A view could not be noted', error),
    )
  }, [kind])
}
