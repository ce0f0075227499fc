import { ALERT_CHANNEL_KINDS, type AlertChannelKind } from '@siarin/contracts/alert-kinds'
import { ALERT_CHANNEL_LABELS } from '@siarin/contracts/alert-texts'
import type { AlertChannelListAnswer } from '@siarin/contracts/alerts'
import { useQuery } from '@tanstack/react-query'
import { Globe, type LucideIcon, Mail, MessagesSquare, Send } from 'lucide-react'
import type { ComponentType } from 'react'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Loading, Skeleton } from '../../../components/skeleton.tsx'
import { featureMessage, REQUEST_FAILED } from '../../../lib/feature-calls.ts'
import { SessionEndedError } from '../../../lib/http.ts'
import { channelsQuery } from '../api/channels.ts'
import { CHANNEL_LEADS } from '../channel-words.ts'
import { ConnectDiscord, ConnectEmail, ConnectPush, ConnectTelegram } from './channel-connect.tsx'
import { ChannelItem } from './channel-item.tsx'

const ICONS: Record<AlertChannelKind, LucideIcon> = {
  telegram: Send,
  discord: MessagesSquare,
  push: Globe,
  email: Mail,
}

const CONNECT: Record<AlertChannelKind, ComponentType<Parameters<typeof ConnectTelegram>[0]>> = {
  telegram: ConnectTelegram,
  discord: ConnectDiscord,
  push: ConnectPush,
  email: ConnectEmail,
}

function KindCard({ kind, list }: { kind: AlertChannelKind; list: AlertChannelListAnswer }) {
  const [Icon, Connect] = [ICONS[kind], CONNECT[kind]]
  const channels = list.data.filter((channel) => channel.kind === kind)
  return (
    <Card aria-label={ALERT_CHANNEL_LABELS[kind]} className="flex min-w-0 flex-col p-4 sm:p-5">
      <div className="flex gap-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-raised text-ink-soft">
          <Icon aria-hidden size={20} strokeWidth={1.75} />
        </span>
        <div className="min-w-0">
          <h2 className="text-base font-bold">{ALERT_CHANNEL_LABELS[kind]}</h2>
          <p className="text-sm text-pretty text-ink-soft">{CHANNEL_LEADS[kind]}</p>
        </div>
      </div>
      {channels.length > 0 && (
        <ul
          aria-label={`Saluran ${ALERT_CHANNEL_LABELS[kind]}`}
          className="mt-3 divide-y divide-line border-t border-line"
        >
          {channels.map((channel) => (
            <ChannelItem key={channel.id} channel={channel} />
          ))}
        </ul>
      )}
      <div className="mt-3 grid justify-items-start">
        <Connect offered={list.offered} channels={channels} />
      </div>
    </Card>
  )
}

/** Where alerts go beside the app: one card for each way, with what is connected and the way to connect more. */
export function ChannelsSection() {
  const { data, error, refetch } = useQuery(channelsQuery())
  if (!data && error && !(error instanceof SessionEndedError)) {
    return (
      <Card>
        <ErrorState text={featureMessage(error, REQUEST_FAILED)} onRetry={() => void refetch()} />
      </Card>
    )
  }
  if (!data) {
    return (
      <Loading className="grid gap-4 md:grid-cols-2">
        {ALERT_CHANNEL_KINDS.map((kind) => (
          <Skeleton key={kind} className="h-36 rounded-card!" />
        ))}
      </Loading>
    )
  }
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {ALERT_CHANNEL_KINDS.map((kind) => (
        <KindCard key={kind} kind={kind} list={data} />
      ))}
    </div>
  )
}
