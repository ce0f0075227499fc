import type {
  AddDiscordBody,
  AddPushBody,
  AddTelegramBody,
  AlertChannel,
  AlertChannelAnswer,
  AlertChannelListAnswer,
  AlertTestAnswer,
  ChangeAlertChannelBody,
  TelegramLinkAnswer,
  TelegramLinkStateAnswer,
} from '@siarin/contracts/alerts'
import { queryOptions } from '@tanstack/react-query'
import { featureDelete, featureGet, featurePatch, featurePost } from '../../../lib/feature-calls.ts'

const CHANNELS = '/fitur/alert/channel'
/** Somebody is about to press 'Start' in Telegram. */
const LINK_POLL_MS = 2000
/** What a message came to, or that the other side is gone. */
const POLL_MS = 30_000

const pathOf = (id: string): string => `${CHANNELS}/${encodeURIComponent(id)}`

export const channelsQuery = () =>
  queryOptions({
    queryKey: ['alert-channels'],
    queryFn: ({ signal }): Promise<AlertChannelListAnswer> => featureGet<AlertChannelListAnswer>(CHANNELS, signal),
    refetchOnMount: 'always',
    refetchInterval: POLL_MS,
  })

/** `code`: the one that is shown; another one has another story. */
export const telegramLinkQuery = (code: string) =>
  queryOptions({
    queryKey: ['telegram-link', code],
    queryFn: ({ signal }): Promise<TelegramLinkStateAnswer> =>
      featureGet<TelegramLinkStateAnswer>(`${CHANNELS}/telegram`, signal),
    refetchInterval: ({ state }) => (state.data?.data.state === 'linked' ? false : LINK_POLL_MS),
    // On a phone the page lies behind Telegram meanwhile.
    refetchIntervalInBackground: true,
  })

export const linkTelegram = async (body: AddTelegramBody): Promise<TelegramLinkAnswer['data']> =>
  (await featurePost<TelegramLinkAnswer>(`${CHANNELS}/telegram`, body)).data

export const addDiscord = (body: AddDiscordBody): Promise<AlertChannelAnswer> =>
  featurePost<AlertChannelAnswer>(`${CHANNELS}/discord`, body)

export const addPush = (body: AddPushBody): Promise<AlertChannelAnswer> =>
  featurePost<AlertChannelAnswer>(`${CHANNELS}/push`, body)

/** By the page itself: nobody is asked for a password in the middle of something else. */
export const addPushAgain = (body: AddPushBody): Promise<AlertChannelAnswer> =>
  featurePost<AlertChannelAnswer>(`${CHANNELS}/push`, body, 'load')

export const ownChannels = async (): Promise<readonly AlertChannel[]> =>
  (await featureGet<AlertChannelListAnswer>(CHANNELS)).data

export const addEmail = (): Promise<AlertChannelAnswer> => featurePost<AlertChannelAnswer>(`${CHANNELS}/email`)

export const changeChannel = async (id: string, body: ChangeAlertChannelBody): Promise<string> =>
  (await featurePatch<AlertChannelAnswer>(pathOf(id), body)).message

export const removeChannel = async (id: string): Promise<string> => (await featureDelete(pathOf(id))).message

/** Waits for what the other side says. */
export const testChannel = (id: string): Promise<AlertTestAnswer> => featurePost<AlertTestAnswer>(`${pathOf(id)}/test`)
