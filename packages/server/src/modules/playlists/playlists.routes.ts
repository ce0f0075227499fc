import { Answer } from '@siarin/contracts/answers'
import { FILENAME_MAX } from '@siarin/contracts/limits'
import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import {
  AddPlaylistItemsBody,
  ChangePlaylistBody,
  MovePlaylistItemBody,
  NewPlaylistBody,
  PLAYLIST_ITEMS_MAX,
  PlaylistAnswer,
  PlaylistPageAnswer,
  PlaylistPageQuery,
} from '@siarin/contracts/playlists'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { PlaylistsService } from './playlists.service.ts'

interface PlaylistsRoutesDeps {
  service: PlaylistsService
  hooks: CallerHooks
}

const Id = z.string().min(1).max(100)
const ListParams = z.object({ id: Id })
const ItemParams = z.object({ id: Id, itemId: Id })
const tags = ['playlist']
/** The longest list of the longest names, whose characters take up to four bytes each. */
const ITEMS_MAX_BYTES = PLAYLIST_ITEMS_MAX * FILENAME_MAX * 4

type ListRequest = FastifyRequest & { readonly params: { readonly id: string } }

/** A stolen session could put its own video on the owner's channel. */
const createAssertMayChange =
  ({ service, hooks }: PlaylistsRoutesDeps) =>
  async (request: ListRequest): Promise<void> => {
    if (request.sessionCaller && (await service.isShown(callerOf(request), request.params.id))) {
      await hooks.assertProved(request)
    }
  }

export const playlistsRoutes = (deps: PlaylistsRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addListRoutes(app, deps)
    addItemRoutes(app, deps)
  }

function addListRoutes(app: App, deps: PlaylistsRoutesDeps): void {
  const { service, hooks } = deps
  const assertMayChange = createAssertMayChange(deps)
  const preValidation = hooks.requireKeyOrSession
  const response = { 200: PlaylistAnswer }
  app.get(
    '/fitur/playlist',
    {
      schema: { summary: 'Own playlists', tags, querystring: PlaylistPageQuery, response: { 200: PlaylistPageAnswer } },
      preValidation,
      config: { alsoPage: true },
    },
    async (request) => {
      const page = await service.page(callerOf(request), request.query)
      return { success: true, message: PLAYLIST_TEXTS.found(page.playlists.length), ...page }
    },
  )

  app.post(
    '/fitur/playlist',
    {
      schema: { summary: 'Make a playlist', tags, body: NewPlaylistBody, response },
      preValidation,
      bodyLimit: ITEMS_MAX_BYTES,
      config: { adds: true },
    },
    async (request) => {
      const playlist = await service.create(callerOf(request), request.body)
      return { success: true, message: PLAYLIST_TEXTS.created, playlist }
    },
  )

  app.get(
    '/fitur/playlist/:id',
    { schema: { summary: 'A playlist and its items', tags, params: ListParams, response }, preValidation },
    async (request) => {
      const playlist = await service.read(callerOf(request), request.params.id)
      return { success: true, message: PLAYLIST_TEXTS.one, playlist }
    },
  )

  app.patch(
    '/fitur/playlist/:id',
    {
      schema: { summary: 'Rename or shuffle a playlist', tags, params: ListParams, body: ChangePlaylistBody, response },
      preValidation,
    },
    async (request) => {
      if (request.body.shuffle !== undefined) await assertMayChange(request)
      const playlist = await service.update(callerOf(request), request.params.id, request.body)
      return { success: true, message: PLAYLIST_TEXTS.saved, playlist }
    },
  )

  app.post(
    '/fitur/playlist/:id/alike',
    {
      schema: {
        summary: 'Make the videos of a playlist alike, so that they join without a break',
        tags,
        params: ListParams,
        response,
      },
      preValidation,
      config: { adds: true },
    },
    async (request) => {
      // It makes versions of the videos, which broadcasts choose by themselves: also where this list is shown nowhere.
      await hooks.assertProved(request)
      const { playlist, recipe } = await service.makeAlike(callerOf(request), request.params.id)
      // What was made for another list may be all that it needs.
      const isAlike = recipe === null || playlist.items.every(({ fits }) => fits === true)
      const message = isAlike ? PLAYLIST_TEXTS.alikeAlready : PLAYLIST_TEXTS.alikeBegun
      return { success: true, message, playlist }
    },
  )

  app.delete(
    '/fitur/playlist/:id',
    { schema: { summary: 'Delete a playlist', tags, params: ListParams, response: { 200: Answer } }, preValidation },
    async (request) => {
      await service.remove(callerOf(request), request.params.id)
      return { success: true, message: PLAYLIST_TEXTS.removed }
    },
  )
}

function addItemRoutes(app: App, deps: PlaylistsRoutesDeps): void {
  const { service, hooks } = deps
  const assertMayChange = createAssertMayChange(deps)
  const preValidation = hooks.requireKeyOrSession
  const response = { 200: PlaylistAnswer }
  const saved = { success: true, message: PLAYLIST_TEXTS.saved } as const
  app.post(
    '/fitur/playlist/:id/items',
    {
      schema: {
        summary: 'Add videos to a playlist',
        tags,
        params: ListParams,
        body: AddPlaylistItemsBody,
        response,
      },
      preValidation,
      bodyLimit: ITEMS_MAX_BYTES,
      config: { adds: true },
    },
    async (request) => {
      await assertMayChange(request)
      return { ...saved, playlist: await service.add(callerOf(request), request.params.id, request.body) }
    },
  )

  app.patch(
    '/fitur/playlist/:id/items/:itemId',
    {
      schema: { summary: 'Move an item', tags, params: ItemParams, body: MovePlaylistItemBody, response },
      preValidation,
    },
    async (request) => {
      await assertMayChange(request)
      const { id, itemId } = request.params
      return { ...saved, playlist: await service.move(callerOf(request), id, itemId, request.body) }
    },
  )

  app.delete(
    '/fitur/playlist/:id/items/:itemId',
    { schema: { summary: 'Take an item out of a playlist', tags, params: ItemParams, response }, preValidation },
    async (request) => {
      await assertMayChange(request)
      const { id, itemId } = request.params
      return { ...saved, playlist: await service.removeItem(callerOf(request), id, itemId) }
    },
  )
}
