import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import type { Recording, RecordingDetails, UseRecordingBody } from '@siarin/contracts/recordings'
import type { Video } from '@siarin/contracts/videos'
import { DomainError } from '../../errors.ts'
import type { StoredFile } from '../../platform/storage/storage.ts'
import type { Caller } from '../identity/caller.ts'
import type { Gate } from './gate.ts'
import type { AskedPart, Joined } from './joined.ts'
import type { Joins } from './joins.ts'
import type { Material } from './material.ts'
import type { createPicture } from './picture.ts'
import { filenameOf, toPart, toRecording } from './recording-views.ts'
import type { PageStart, RecordingRow, RecordingsRepo } from './recordings.repo.ts'

interface ServiceDeps {
  readonly repo: RecordingsRepo
  readonly material: Material
  readonly joins: Joins
  readonly gate: Gate
  readonly picture: ReturnType<typeof createPicture>
  readonly remove: (row: RecordingRow) => Promise<void>
  /** A video of the library that is made of a part of a recording, in the background. */
  readonly importRecording: (caller: Caller, asked: { address: string; filename: string }) => Promise<Video>
}

export interface RecordingsQuery {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly broadcastId?: string | undefined
}

interface PartQuery {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export type RecordingsService = ReturnType<typeof createRecordingsService>

const partOf = ({ from = 0, to }: PartQuery): AskedPart => ({ from, to: to ?? null })

export function createRecordingsService(deps: ServiceDeps) {
  const { repo, material, joins, gate, picture, remove } = deps

  async function ownRow({ workspaceId }: Caller, id: string): Promise<RecordingRow> {
    const row = await repo.byId(workspaceId, id)
    if (!row) throw new DomainError('not_found', RECORDING_TEXTS.notFound)
    return row
  }

  const viewOf = async (row: RecordingRow, signal: AbortSignal): Promise<Recording> =>
    toRecording(row, row.to_at === null ? await material.soFar(row, signal) : null)

  return {
    ownRow,
    async list({ workspaceId }: Caller, { cursor, limit, broadcastId }: RecordingsQuery, signal: AbortSignal) {
      const after = cursor === undefined ? null : placeOf(cursor)
      // One more tells whether there is another page.
      const rows = await repo.page(workspaceId, { after, limit: limit + 1, broadcastId: broadcastId ?? null })
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      const recordings: Recording[] = []
      for (const row of shown) recordings.push(await viewOf(row, signal))
      return { recordings, nextCursor: last ? cursorOf({ fromAt: last.from_at, id: last.id }) : null }
    },

    async get(caller: Caller, id: string, signal: AbortSignal): Promise<RecordingDetails> {
      const row = await ownRow(caller, id)
      const view = await viewOf(row, signal)
      const parts = await material.partsOf(row, signal)
      return { ...view, parts: parts.map(toPart) }
    },

    async remove(caller: Caller, id: string): Promise<void> {
      const row = await ownRow(caller, id)
      if (row.to_at === null) throw new DomainError('recording_in_progress', RECORDING_TEXTS.stillRecording)
      await remove(row)
    },

    async picture(caller: Caller, id: string, signal: AbortSignal): Promise<StoredFile> {
      const row = await ownRow(caller, id)
      const known = await picture.known(row)
      if (known) return known
      const leave = await gate.enter(caller.workspaceId, 'short', { signal })
      return picture.makeOf(row).finally(leave)
    },

    /** What is had of it, and what that is called. */
    async file(
      caller: Caller,
      id: string,
      query: PartQuery,
      signal: AbortSignal,
    ): Promise<{ row: RecordingRow; joined: Joined; name: string }> {
      const row = await ownRow(caller, id)
      const joined = await joins.of(row, partOf(query), signal)
      return { row, joined, name: `${filenameOf(row)}.${joined.extension}` }
    },

    async use(
      caller: Caller,
      id: string,
      { from, to, filename }: UseRecordingBody,
      signal: AbortSignal,
    ): Promise<Video> {
      const row = await ownRow(caller, id)
      // Said now where it can be said now.
      const { extension } = await joins.of(row, partOf({ from, to }), signal)
      const query = new URLSearchParams({ from: String(from ?? 0), ...(to !== undefined && { to: String(to) }) })
      return deps.importRecording(caller, {
        address: `recording:${row.id}?${query}`,
        filename: filename ? withExtension(filename, extension) : `${filenameOf(row)}.${extension}`,
      })
    },
  }
}

const withExtension = (name: string, extension: string): string =>
  name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`

const cursorOf = ({ fromAt, id }: PageStart): string => Buffer.from(`${fromAt} ${id}`).toString('base64url')

function placeOf(cursor: string): PageStart {
  const [, at, id] = /^(\d{1,15}) ([\w-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!at || !id) throw new DomainError('invalid_input', RECORDING_TEXTS.cursorInvalid)
  return { fromAt: Number(at), id }
}
