import type { Measured } from './measure.ts'

export interface Bounds {
  readonly stallMs: number
  /** Null: other tests run beside it, and the collector waits for a calm moment. */
  readonly peakMb: number | null
}

/** Operations that are refused here however well all is, and why; what they do until then is measured all the same. */
const REFUSED_HERE: Readonly<Record<string, string>> = {
  'GET /fitur/steam/{streamId}/preview': 'only online sources have one',
  'POST /fitur/steam/stop': 'what was on air has ended',
  'POST /fitur/webhook/{id}/test': 'it is counted with what was sent again',
  'POST /auth/profile/apikey': 'changes of an account are counted together',
  'POST /auth/profile/password': 'changes of an account are counted together',
  'POST /fitur/alert/channel/email': 'new channels are counted together',
  'POST /fitur/steam/skip': 'what is on air is no list',
  'POST /auth/login/code': 'nobody here has a second factor',
  'POST /auth/reset': 'the link is made up',
  'POST /auth/verify': 'the link is made up',
  'POST /auth/second-factor/confirm': 'the code is made up',
  'POST /auth/second-factor/codes': 'nobody here has a second factor',
  'POST /auth/second-factor/off': 'nobody here has a second factor',
  'POST /auth/verify/resend': 'the address is verified',
  'POST /fitur/steamlabs/start': 'the platform is not reached',
  'POST /fitur/online/add': 'there is no playlist at the address',
  'POST /fitur/video/retry/{filename}': 'the videos are ready',
  'POST /fitur/playlist/{id}/alike': 'hundreds of videos are looked at first',
  'POST /fitur/alert/channel/telegram': 'the platform is not reached',
  'DELETE /fitur/broadcast/{id}/targets/{streamId}': 'what was on air has ended',
  'POST /fitur/broadcast': 'the account has as many on air as the machine takes',
  'POST /fitur/video/rendition/{filename}': 'the video has as many versions as it may',
  'DELETE /fitur/video/rendition/{filename}': 'lists and recordings play it',
  'GET /fitur/recording/{id}/file online': 'the files of an online source are made up',
  'POST /fitur/recording/{id}/video many': 'videos that wait to be made are counted together',
  'POST /fitur/recording/{id}/video clean': 'videos that wait to be made are counted together',
  'POST /fitur/video/import': 'videos that wait to be made are counted together',
  'POST /fitur/recording/{id}/video online': 'the files of an online source are made up',
  'GET /fitur/recording/{id}/picture online': 'the files of an online source are made up',
  'GET /fitur/recording/{id}/segment/{segment} online': 'the files of an online source are made up',
}

const ms = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : 'ended')

const worstOf = ({ aloneMs, atOnceMs }: Measured): number => Math.max(aloneMs, atOnceMs)

/** What a neighbour may wait for, so that the table shows which operations its longest waits come from. */
const LATE_MS = 50
const HEAD =
  'alone ms | 60 at once | by the clock | neighbour p99 | its late calls | peak MB | answers alone | answers at once | operation'

export function rowOf(row: Measured): string {
  const figures = [row.aloneMs, row.atOnceMs, row.wallMs, row.neighbourP99].map((cell) => ms(cell).padStart(6))
  const late = row.neighbourTimes.filter((time) => time > LATE_MS).length
  const name = row.ended ? `${row.name} (the program ended)` : row.name
  return [
    ...figures,
    `${late}/${row.neighbourTimes.length}`.padStart(9),
    ms(row.peakMb).padStart(6),
    row.aloneStatuses.join(' '),
    row.statuses || '-',
    name,
  ].join(' | ')
}

/** Worst first. */
export const tableOf = (measured: readonly Measured[]): string =>
  [HEAD, ...measured.toSorted((one, other) => worstOf(other) - worstOf(one)).map(rowOf)].join('\n')

const isReached = ({ aloneStatuses, operation, name }: Measured): boolean =>
  operation in REFUSED_HERE || name in REFUSED_HERE || aloneStatuses.some((status) => status >= 200 && status < 400)

/** What of it is too much, or was never really asked; empty: nothing. */
export function faultsOf(measured: readonly Measured[], { stallMs, peakMb }: Bounds): string[] {
  return measured.flatMap((row) => {
    const faults = [
      row.ended && 'the program ended',
      row.aloneMs > stallMs && `alone it held the loop for ${ms(row.aloneMs)} ms`,
      row.atOnceMs > stallMs && `of many at once one held the loop for ${ms(row.atOnceMs)} ms`,
      peakMb !== null && row.peakMb > peakMb && `${ms(row.peakMb)} MB of memory`,
      !isReached(row) && `it was refused: ${row.aloneStatuses.join(' ')}`,
    ]
    return faults.filter((fault) => typeof fault === 'string').map((fault) => `${row.name}: ${fault}`)
  })
}
