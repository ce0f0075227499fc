import { z } from 'zod'
import { Answer } from './answers.ts'
import { PLAYLIST_TEXTS } from './playlist-texts.ts'
import { Rendition } from './videos.ts'

export const PLAYLIST_ITEMS_MAX = 500
export const PLAYLISTS_MAX = 200
export const PLAYLIST_NAME_MAX = 100
/** A broadcast needs a moment after each item has begun to say what follows it. */
export const PLAYLIST_ITEM_MIN_MS = 2_000

/** What a start call names as its source. */
const PLAYLIST_SOURCE = 'playlist:'
export const playlistSource = (id: string): string => `${PLAYLIST_SOURCE}${id}`
/** Null: it names something else. */
export const playlistIdOf = (source: string): string | null =>
  source.startsWith(PLAYLIST_SOURCE) ? source.slice(PLAYLIST_SOURCE.length) : null

const Name = z
  .string({ error: PLAYLIST_TEXTS.nameRequired })
  .transform((name) => name.replace(/\p{Cc}/gu, '').trim())
  .pipe(z.string().min(1, PLAYLIST_TEXTS.nameRequired).max(PLAYLIST_NAME_MAX, PLAYLIST_TEXTS.nameTooLong))
const Shuffle = z.boolean({ error: PLAYLIST_TEXTS.shuffleInvalid })
/** Where it is sent, a change counts only if nobody has changed the list since this version was read. */
const Version = z.int({ error: PLAYLIST_TEXTS.versionInvalid }).optional()
const Index = z
  .int({ error: PLAYLIST_TEXTS.positionInvalid })
  .min(0, PLAYLIST_TEXTS.positionInvalid)
  .max(PLAYLIST_ITEMS_MAX, PLAYLIST_TEXTS.positionInvalid)
/** File names of own videos; one may be there several times. */
const Videos = z
  .array(z.string({ error: PLAYLIST_TEXTS.videosInvalid }).min(1, PLAYLIST_TEXTS.videosInvalid).max(1_000), {
    error: PLAYLIST_TEXTS.videosInvalid,
  })
  .max(PLAYLIST_ITEMS_MAX, PLAYLIST_TEXTS.tooManyItems(PLAYLIST_ITEMS_MAX))

export const NewPlaylistBody = z.object({
  name: Name,
  shuffle: Shuffle.default(false),
  videos: Videos.default([]),
})
export type NewPlaylistBody = z.infer<typeof NewPlaylistBody>

export const ChangePlaylistBody = z.object({
  name: Name.optional(),
  shuffle: Shuffle.optional(),
  version: Version,
})
export type ChangePlaylistBody = z.infer<typeof ChangePlaylistBody>

/** `index`: before which item they come; at the end without one. */
export const AddPlaylistItemsBody = z.object({
  videos: Videos.min(1, PLAYLIST_TEXTS.videosInvalid),
  index: Index.optional(),
  version: Version,
})
export type AddPlaylistItemsBody = z.infer<typeof AddPlaylistItemsBody>

export const MovePlaylistItemBody = z.object({ index: Index, version: Version })
export type MovePlaylistItemBody = z.infer<typeof MovePlaylistItemBody>

export const PlaylistPageQuery = z.object({
  cursor: z.string().max(200, PLAYLIST_TEXTS.cursorInvalid).optional(),
  limit: z.coerce.number().int().min(1).max(100).catch(50),
})

const PlaylistHead = z.object({
  id: z.string(),
  name: z.string(),
  shuffle: z.boolean(),
  /** How many items it has. */
  count: z.number().int(),
  /** How long one round lasts, in seconds; items that are not ready yet count nothing. */
  duration: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  version: z.number().int(),
})
export type PlaylistHead = z.infer<typeof PlaylistHead>

const PlaylistItem = z.object({
  id: z.string(),
  index: z.number().int(),
  filename: z.string(),
  /** In seconds; null until it is known. */
  duration: z.number().nullable(),
  status: z.enum(['processing', 'ready', 'failed']),
  /** False: it is unlike most of the others, and a broadcast reconnects shortly before and after it. Null: not known yet. */
  fits: z.boolean().nullable(),
  /** How far its version of the list's recipe is; null: it has none. A server of an earlier version does not say it. */
  rendition: Rendition.pick({ state: true, progress: true, secondsLeft: true, queue: true, reason: true })
    .nullable()
    .optional(),
})
export type PlaylistItem = z.infer<typeof PlaylistItem>

/** What it takes until all items can follow each other without a reconnection. */
const PlaylistAlike = z.object({
  /** What they are made alike by: size, frame rate and bitrate. */
  recipe: z.string(),
  /** Videos that nobody has ordered yet, with about how much room and time they take. */
  missing: z.number().int(),
  bytes: z.number().int(),
  seconds: z.number().int(),
  /** Videos that are being made, or wait for it. */
  underWay: z.number().int(),
  failed: z.number().int(),
  /** 0 to 100, of all that were ordered; null: none was. */
  progress: z.number().int().nullable(),
})
export type PlaylistAlike = z.infer<typeof PlaylistAlike>

const Playlist = PlaylistHead.extend({
  items: z.array(PlaylistItem),
  /** What its videos were made alike by; null: each plays as it is. */
  recipe: z.string().nullable().optional(),
  /** Null: all items fit, or it is not known yet. */
  alike: PlaylistAlike.nullable().optional(),
})
export type Playlist = z.infer<typeof Playlist>

export const PlaylistAnswer = Answer.extend({ playlist: Playlist })
export type PlaylistAnswer = z.infer<typeof PlaylistAnswer>

/** `nextCursor`: null where there are no more. */
export const PlaylistPageAnswer = Answer.extend({
  playlists: z.array(PlaylistHead),
  nextCursor: z.string().nullable(),
})
export type PlaylistPageAnswer = z.infer<typeof PlaylistPageAnswer>

/** What a broadcast plays of its list. */
export const PlaylistNow = z.object({
  id: z.string(),
  name: z.string(),
  shuffle: z.boolean(),
  /** What plays now. It may have been removed from the list since: then it has no index. */
  itemId: z.string(),
  filename: z.string(),
  index: z.number().int().nullable(),
  count: z.number().int(),
  round: z.number().int(),
  /** Its place in the order of this round, which a shuffle makes another than that of the list. Null: it was removed. */
  roundIndex: z.number().int().nullable(),
  /** How far in this item, a few seconds old at most. */
  positionMs: z.number().int(),
  /** Null: not known yet. */
  durationMs: z.number().int().nullable(),
  /** How far in this round, and how long a round lasts; items of unknown length count nothing. */
  roundPositionMs: z.number().int(),
  roundDurationMs: z.number().int(),
  /** What follows; null: the broadcast ends. */
  next: z.object({ itemId: z.string(), index: z.number().int(), filename: z.string() }).nullable(),
})
export type PlaylistNow = z.infer<typeof PlaylistNow>
