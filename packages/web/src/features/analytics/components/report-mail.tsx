import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Checkbox } from '../../../components/checkbox.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { notifySuccess, notifyWarning } from '../../../lib/notify.ts'
import { changeReportMail, reportMailQuery } from '../api/report-mail.ts'

/** Whether the report of each month goes out by itself; nothing where the server sends no mail. */
export function ReportMail() {
  const queryClient = useQueryClient()
  const { data } = useQuery(reportMailQuery())
  const change = useMutation({
    mutationFn: changeReportMail,
    onSuccess: ({ message, data: saved }) => {
      queryClient.setQueryData(reportMailQuery().queryKey, saved)
      notifySuccess(message)
    },
    onError: (error) => notifyWarning(featureMessage(error, REQUEST_FAILED)),
  })
  if (!data?.available) return null
  return (
    <Checkbox
      label="Kirim laporan lewat email setiap tanggal 1"
      checked={change.isPending ? change.variables : data.on}
      disabled={change.isPending}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
    />
  )
}
