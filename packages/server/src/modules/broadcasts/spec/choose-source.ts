import { playlistIdOf } from '@siarin/contracts/playlists'
import type { StartStreamBody } from '@siarin/contracts/streams'
import { BIGO_TEXTS, ONLINE_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../../errors.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Caller } from '../../identity/caller.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { VideoRow } from '../../library/video-row.ts'
import { isTooLarge } from '../../library/video-view.ts'
import type { PlansService } from '../../plans/index.ts'
import { type OnlineRef, type OnlineSources, sourceFault } from '../../platforms/index.ts'
import type { PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import type { RelaySource, SourceStatus } from '../relay/relay-source.ts'
import { SourceAwayError } from '../sequence/source-errors.ts'
import type { StreamRow } from '../store/streams.repo.ts'
import { createChoosePlaylist } from './choose-playlist.ts'
import { createNamedVideos, isOnline, type Named, type VideoPins } from './named-videos.ts'

interface ChooseSourceDeps {
  library: Pick<LibraryService, 'find' | 'findAll' | 'outlinesOf' | 'outlinesNamed'>
  playlists: Pick<PlaylistsRepo, 'contents'>
  sources: OnlineSources
  relaySource: Pick<RelaySource, 'inspect'>
  sealer: Pick<Sealer, 'seal'>
  plans: Pick<PlansService, 'libraryLimitsOf' | 'resolutionRefusal'>
}

/** What of a start call says what to send. */
export type SourceBody = Omit<StartStreamBody, 'platform' | 'rtmpStream' | 'targetOf'> & { readonly pins?: VideoPins }

/** What a stream keeps of its source. */
export type SourceColumns = Pick<
  StreamRow,
  'video_id' | 'source' | 'source_kind' | 'source_finite' | 'source_sealed' | 'source_account_id' | 'fallback_video_id'
> &
  Partial<Pick<StreamRow, 'playlist_id' | 'playlist_start_item' | 'position_item_id'>>

interface ChosenSource {
  readonly columns: SourceColumns
  /** It goes on air once its video is ready. */
  readonly awaitsVideo: boolean
}

export type ChooseSource = ReturnType<typeof createChooseSource>

/** What a start call names, made into what a stream keeps of it; refused with words where nothing could go on air. */
export function createChooseSource(deps: ChooseSourceDeps) {
  const { library, sources, relaySource, sealer, plans } = deps
  const { findOwn, pinsOf } = createNamedVideos(library)
  const choosePlaylist = createChoosePlaylist({ ...deps, assertFits })

  async function assertFits(workspaceId: string, video: Parameters<typeof isTooLarge>[0]): Promise<void> {
    if (isTooLarge(video, await plans.libraryLimitsOf(workspaceId))) throw await plans.resolutionRefusal(workspaceId)
  }

  async function ownVideo(caller: Caller, source: string, { missing, pin }: Named = {}) {
    const video = await findOwn(caller, source, { missing, pin })
    if (video.status !== 'ready') throw new DomainError('video_not_ready', VIDEO_TEXTS.notReady)
    await assertFits(caller.workspaceId, video)
    return video
  }

  /** Prepared under the plan of now, a video fits: nobody has to ask before. */
  async function comingVideo(caller: Caller, source: string, named: Named): Promise<VideoRow> {
    const video = await findOwn(caller, source, named)
    return video.status === 'processing' ? video : ownVideo(caller, source, named)
  }

  /** What it offers, or why it cannot be sent right now. */
  async function inspectOnline(workspaceId: string, ref: OnlineRef): Promise<SourceStatus | DomainError> {
    const located = await sources.locate(workspaceId, ref)
    if (located.state !== 'live') return new DomainError('source_not_live', BIGO_TEXTS[located.state])
    try {
      return await relaySource.inspect(located.url)
    } catch (error) {
      if (!(error instanceof SourceAwayError)) throw error
      const fault = sourceFault(error.cause)
      return fault instanceof DomainError ? fault : new DomainError('source_invalid', ONLINE_TEXTS.notHls)
    }
  }

  async function online(caller: Caller, body: SourceBody): Promise<SourceColumns> {
    const { source: url, accountId } = body
    const ref = await sources.find(caller.workspaceId, { url, accountId })
    const standIn = { missing: ONLINE_TEXTS.fallbackInvalid, pin: body.pins?.fallback }
    const fallback = body.fallback ? await ownVideo(caller, body.fallback, standIn) : null
    const found = await inspectOnline(caller.workspaceId, ref)
    const away = found instanceof DomainError ? found : null
    // With a video that stands in, the broadcast can begin before its source does; but not with an address that may not be used.
    const mayWait = fallback !== null && (away?.code === 'source_not_live' || away?.code === 'source_unreachable')
    if (away && !mayWait) throw away
    return {
      video_id: null,
      source: ref.name,
      source_kind: ref.kind,
      source_finite: ref.kind === 'hls' && !(found instanceof DomainError) && found.ended ? 1 : 0,
      source_sealed: ref.kind === 'hls' ? sealer.seal(ref.url) : null,
      source_account_id: ref.kind === 'bigo' ? ref.accountId : null,
      fallback_video_id: fallback?.id ?? null,
    }
  }

  return {
    ownVideo,
    pinsOf,
    /** `broadcastId`: of what is to be started. */
    async ofStart(caller: Caller, body: SourceBody, broadcastId: string): Promise<ChosenSource> {
      const playlistId = playlistIdOf(body.source)
      if (playlistId !== null) {
        const chosen = { id: playlistId, itemId: body.playlistItem ?? null, broadcastId }
        return { columns: await choosePlaylist(caller, chosen), awaitsVideo: false }
      }
      if (isOnline(body)) return { columns: await online(caller, body), awaitsVideo: false }
      const video = await (body.whenReady ? comingVideo : ownVideo)(caller, body.source, { pin: body.pins?.video })
      const columns: SourceColumns = {
        video_id: video.id,
        source: video.filename,
        source_kind: 'video',
        source_finite: 0,
        source_sealed: null,
        source_account_id: null,
        fallback_video_id: null,
      }
      return { columns, awaitsVideo: video.status !== 'ready' }
    },
  }
}
