import type {
  ChangeScheduleBody,
  CreateScheduleBody,
  Schedule,
  ScheduleAnswer,
  ScheduledOccurrence,
  ScheduleListAnswer,
  SkipDateBody,
  UpcomingAnswer,
} from '@siarin/contracts/schedules/schedules'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { featureDelete, featureGet, featurePatch, featurePost } from '../../../lib/feature-calls.ts'

const POLL_MS = 15_000
/** Two pages are all that anybody may have. */
const PAGE = '/fitur/schedule?limit=100'
/** All that changes with any change of a schedule. */
export const SCHEDULES_KEY = ['schedules'] as const

type ListAnswer = z.infer<typeof ScheduleListAnswer>
type OneAnswer = z.infer<typeof ScheduleAnswer>
type Upcoming = z.infer<typeof UpcomingAnswer>

const pathOf = (id: string): string => `/fitur/schedule/${encodeURIComponent(id)}`

export const schedulesQuery = () =>
  queryOptions({
    queryKey: [...SCHEDULES_KEY, 'all'],
    queryFn: async ({ signal }): Promise<readonly Schedule[]> => {
      const found: Schedule[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const path: string = cursor ? `${PAGE}&cursor=${encodeURIComponent(cursor)}` : PAGE
        const answer: ListAnswer = await featureGet<ListAnswer>(path, signal)
        found.push(...answer.data)
        cursor = answer.nextCursor
      }
      return found
    },
    refetchOnMount: 'always',
    refetchInterval: POLL_MS,
  })

/** What is due from one instant on and before the other. */
export const upcomingQuery = (fromMs: number, toMs: number) =>
  queryOptions({
    queryKey: [...SCHEDULES_KEY, 'upcoming', fromMs, toMs],
    queryFn: async ({ signal }): Promise<Pick<Upcoming, 'data' | 'more'>> => {
      const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
      const { data, more } = await featureGet<Upcoming>(`/fitur/schedule/upcoming?from=${from}&to=${to}`, signal)
      return { data, more }
    },
    refetchOnMount: 'always',
    refetchInterval: POLL_MS,
  })

/** Nobody waits for the second in which one begins: the list of broadcasts shows that. */
const NEXT_POLL_MS = 60_000

/** So long it is told that one could not be started. */
const TOLD_MS = 6 * 3_600_000
const AHEAD_MS = 8 * 86_400_000

const isTold = ({ state }: ScheduledOccurrence): boolean =>
  state === 'due' || state === 'starting' || state === 'failed'
const isTroubled = ({ reason, warning }: ScheduledOccurrence): boolean => reason !== null || warning !== null

/** What begins in the next eight days, soonest first; before it what is tried again, has failed of late or will fail as things stand. */
export const comingNextQuery = () =>
  queryOptions({
    queryKey: [...SCHEDULES_KEY, 'next'],
    queryFn: async ({ signal }): Promise<readonly ScheduledOccurrence[]> => {
      const [from, to] = [Date.now() - TOLD_MS, Date.now() + AHEAD_MS].map((ms) => new Date(ms).toISOString())
      const { data } = await featureGet<Upcoming>(`/fitur/schedule/upcoming?from=${from}&to=${to}`, signal)
      const told = data.filter(isTold)
      return [...told.filter(isTroubled), ...told.filter((each) => !isTroubled(each))]
    },
    refetchInterval: NEXT_POLL_MS,
    refetchOnMount: 'always',
  })

export const loadSchedule = async (id: string): Promise<Schedule> => (await featureGet<OneAnswer>(pathOf(id))).data

export const createSchedule = async (body: CreateScheduleBody): Promise<string> =>
  (await featurePost<OneAnswer>('/fitur/schedule', body)).message

export const changeSchedule = async (id: string, body: ChangeScheduleBody): Promise<string> =>
  (await featurePatch<OneAnswer>(pathOf(id), body)).message

export const skipDate = async (id: string, body: SkipDateBody): Promise<string> =>
  (await featurePost<OneAnswer>(`${pathOf(id)}/skip`, body)).message

export const setPaused = async (id: string, paused: boolean): Promise<string> =>
  (await featurePost<OneAnswer>(`${pathOf(id)}/${paused ? 'pause' : 'resume'}`)).message

export const removeSchedule = async (id: string): Promise<string> => (await featureDelete(pathOf(id))).message
