const DAY_S = 86_400
const clock = new Intl.DateTimeFormat('id-ID', { hour: '2-digit', minute: '2-digit' })
const clockWithSeconds = new Intl.DateTimeFormat('id-ID', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const day = new Intl.DateTimeFormat('id-ID', { day: 'numeric', month: 'short' })

const isMidnight = (date: Date): boolean => date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0

/** The words under an axis of time. Steps shorter than a day show the hour, and the date where a day begins. */
export function axisTimes(splitsMs: readonly number[], stepMs: number): string[] {
  const stepSeconds = stepMs / 1000
  return splitsMs.map((at) => {
    const date = new Date(at)
    if (stepSeconds >= DAY_S || isMidnight(date)) return day.format(date)
    return (stepSeconds < 60 ? clockWithSeconds : clock).format(date)
  })
}

/** '15 Nov 19.30.05' and, where the chart shows a day or less, the time alone. */
export function pointTime(atMs: number, spanMs: number): string {
  const date = new Date(atMs)
  const time = (spanMs <= 3_600_000 ? clockWithSeconds : clock).format(date)
  return spanMs <= DAY_S * 1000 ? time : `${day.format(date)} ${time}`
}
