import { setTimeout as sleep } from 'node:timers/promises'
import { streamReasonText } from '@siarin/contracts/stream-reason-texts'
import { createOperatorChanges } from '../modules/operators/operator-changes.ts'
import { createOperatorStreams, type NamedStream } from '../modules/operators/streams.ts'
import { argOf, type DatabaseCommand, Refusal, textOf } from './command.ts'
import { isoOrNull, localTime } from './dates.ts'
import { peopleOf } from './people.ts'
import { table } from './tables.ts'

/** A worker looks every second, and ffmpeg may take some to end. */
const STOP_WAIT_MS = 10_000
const STOP_POLL_MS = 200

const onAirSeconds = (row: NamedStream, now: number): number =>
  Math.round((row.on_air_ms + (row.live_since === null ? 0 : Math.max(0, now - row.live_since))) / 1000)

const reasonText = ({ reason }: NamedStream): string | null => (reason === null ? null : streamReasonText(reason))

const toJson = (row: NamedStream, now: number) => ({
  id: row.id,
  username: row.username,
  email: row.email,
  phase: row.phase,
  stopAsked: row.desired !== 'live',
  platform: row.platform,
  source: row.source,
  title: row.title,
  targetHost: row.target_host,
  startedAt: isoOrNull(row.created_at),
  liveSince: isoOrNull(row.live_since),
  onAirSeconds: onAirSeconds(row, now),
  restarts: row.restarts,
  reason: reasonText(row),
  endedAt: isoOrNull(row.ended_at),
})

const hours = (seconds: number): string =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => String(Math.trunc(part)).padStart(2, '0')).join(':')

export const streamList: DatabaseCommand = {
  name: 'stream list',
  args: [],
  summary: 'list the streams that are on air or on their way, oldest first',
  details: [],
  options: { user: { value: 'WHO', help: 'only those of this user: an e-mail address or a username' } },
  examples: ['stream list', 'stream list --user budi@gmail.com', 'stream list --json | jq ".streams | length"'],
  prepare(args) {
    const who = textOf(args, 'user')
    return async (context) => {
      const now = context.clock.now()
      const owner = who === undefined ? null : await peopleOf(context).find(who)
      const rows = await createOperatorStreams(context).wanted(owner?.id ?? null)
      return {
        json: { streams: rows.map((row) => toJson(row, now)) },
        text: table(
          ['ID', 'USERNAME', 'PHASE', 'PLATFORM', 'TITLE', 'STARTED', 'ON AIR', 'RESTARTS', 'REASON'],
          rows.map((row) => [
            row.id,
            row.username,
            row.desired === 'live' || row.phase === 'stopping' ? row.phase : `${row.phase} (${row.desired})`,
            row.platform,
            row.title || row.source,
            localTime(row.created_at),
            hours(onAirSeconds(row, now)),
            String(row.restarts),
            reasonText(row) ?? '',
          ]),
          'No stream is on air.',
        ),
      }
    }
  },
}

export const streamStop: DatabaseCommand = {
  name: 'stream stop',
  args: ['streamId'],
  summary: 'end one stream, whoever it belongs to',
  details: ['<streamId> is the one that stream list shows. The user reads that the administrator has stopped it.'],
  options: {},
  examples: ['stream stop 0f8f1c1e-7c57-4bd0-a2c5-2f7f5a0d3c11'],
  prepare: (args) => async (context) => {
    const id = argOf(args, 0)
    const read = () => createOperatorStreams(context).byId(id)
    const found = await read()
    if (!found || found.phase === 'ended') throw new Refusal(`there is no stream '${id}' on air or on its way`)
    const changed = found.desired !== 'stopped'
    const about = found.title || found.source
    if (changed) await createOperatorChanges(context).stopStream({ id, userId: found.user_id, about })

    let now = found
    for (const until = Date.now() + STOP_WAIT_MS; now.phase !== 'ended' && Date.now() < until; ) {
      await sleep(STOP_POLL_MS)
      now = (await read()) ?? now
    }
    const ended = now.phase === 'ended'
    return {
      json: { stream: toJson(now, context.clock.now()), changed, ended },
      text: ended
        ? `The stream '${about}' of ${found.username} has ended.`
        : `The stream '${about}' of ${found.username} is asked to end; it does so as soon as a server looks.`,
    }
  },
}
