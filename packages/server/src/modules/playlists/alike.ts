import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import type { PlaylistAlike } from '@siarin/contracts/playlists'
import { fpsOf, parseRecipe, renditionBytes } from '@siarin/contracts/recipes'
import type { Rendition } from '@siarin/contracts/videos'
import { DomainError } from '../../errors.ts'
import { usualSeconds } from '../library/estimate-work.ts'
import type { LibraryService } from '../library/library.service.ts'
import type { LibraryLimits } from '../library/room.ts'
import type { VideoRow } from '../library/video-row.ts'
import { candidateRecipes, chooseRecipe } from './choose-recipe.ts'
import { judgeFits, type Likeness } from './judge-fits.ts'
import type { KeyedFile, Likenesses } from './likenesses.ts'
import type { VideosById } from './playlist-views.ts'
import type { PlaylistContent } from './playlists.repo.ts'
import type { RecipeSamples } from './recipe-samples.ts'

export interface AlikeDeps {
  library: Pick<LibraryService, 'playable' | 'renditions'>
  likenesses: Likenesses
  samples: RecipeSamples
  limitsOf: (userId: string) => Promise<LibraryLimits>
}

/** How a list plays now. */
export interface ListState {
  /** Whether its items fit, in their order. */
  readonly fits: readonly (boolean | null)[]
  /** The renditions by the list's recipe, by video. */
  readonly renditions: ReadonlyMap<string, Rendition>
  readonly alike: PlaylistAlike | null
}

/** While somebody waits for a page, and while somebody waits for a button. */
const PATIENCE = { page: 1_500, button: 20_000 }

/** A list and its videos have one owner. */
const ownerOf = (videos: readonly VideoRow[]): string => videos[0]?.user_id ?? ''

export type Alike = ReturnType<typeof createAlike>

/** What files of videos are like. */
function createProbe({ library, likenesses }: Pick<AlikeDeps, 'library' | 'likenesses'>) {
  const masterOf = (video: VideoRow): KeyedFile | null =>
    video.status === 'ready' && video.master ? { key: video.master.key, file: () => library.playable(video) } : null

  /** What each of a recipe's renditions that are ready is like, by video; null: nobody has looked into it yet. */
  async function likesOf(videos: readonly VideoRow[], recipe: string, patienceMs: number) {
    const made = [...(await library.renditions.filesOf(videos, recipe))]
    const files = made.map(([, file]): KeyedFile => ({ key: file.key, file: async () => file }))
    const known = await likenesses.of(ownerOf(videos), files, patienceMs)
    return new Map(made.map(([id], index): [string, Likeness] => [id, known[index] ?? null]))
  }

  /** What each video is like as it is and as the list's recipe made it. */
  async function probe(videos: readonly VideoRow[], recipe: string | null, patienceMs: number) {
    const [known, asMade] = await Promise.all([
      likenesses.of(ownerOf(videos), videos.map(masterOf), patienceMs),
      recipe === null ? new Map<string, Likeness>() : likesOf(videos, recipe, patienceMs),
    ])
    const asIs = new Map(videos.map(({ id }, index) => [id, known[index] ?? null]))
    /** What plays: a rendition that nobody has looked at yet is one all the same. */
    const played = (id: string): Likeness => (asMade.has(id) ? (asMade.get(id) ?? null) : (asIs.get(id) ?? null))
    return { asIs, asMade, played }
  }

  return { likesOf, probe }
}

/** Whether the videos of a list can follow each other, and what would make them so. */
export function createAlike({ library, likenesses, samples, limitsOf }: AlikeDeps) {
  const { likesOf, probe } = createProbe({ library, likenesses })

  type Probed = Awaited<ReturnType<typeof probe>>

  /** By what they would be made alike, and which of them are not yet. */
  async function plan(videos: readonly VideoRow[], kept: string | null, probed: Probed, patienceMs: number) {
    const [first] = videos
    if (!first) return null
    const ready = videos.filter(({ status }) => status === 'ready')
    const limits = await limitsOf(first.user_id)
    const candidates = candidateRecipes(ready, limits)
    const tried = [...new Set([...(kept !== null && parseRecipe(kept) ? [kept] : []), ...candidates])]
    const [likes, made] = await Promise.all([
      samples.of(first.user_id, tried, patienceMs),
      Promise.all(tried.map((text) => (text === kept ? probed.asMade : likesOf(ready, text, patienceMs)))),
    ])
    // Without them nobody knows what fits already: it is told the next time.
    if (likes.size < tried.length) return null
    const has = ({ id }: VideoRow, recipe: string): boolean => {
      const wanted = likes.get(recipe)
      if (wanted === undefined) return false
      if (probed.asIs.get(id) === wanted) return true
      // Also one that was made for another list, unless it is known to be wrong: to make it anew costs its length and its room once more.
      const like = made[tried.indexOf(recipe)]?.get(id)
      return like === null || like === wanted
    }
    const hasOf = (recipe: string): number => ready.filter((video) => has(video, recipe)).length
    const recipe = chooseRecipe(candidates, { kept, hasOf, limits })
    return recipe === null ? null : { recipe, missing: ready.filter((video) => !has(video, recipe)) }
  }

  async function renditionsOf(videos: readonly VideoRow[], recipe: string | null) {
    const found = recipe === null ? new Map<string, readonly Rendition[]>() : await library.renditions.ofVideos(videos)
    const own = new Map<string, Rendition>()
    for (const [id, all] of found) {
      // One that is being made anew says so.
      const sorted = all.filter((one) => one.recipe === recipe).toSorted((one) => (one.state === 'ready' ? 1 : -1))
      if (sorted[0]) own.set(id, sorted[0])
    }
    return own
  }

  const listed = ({ items }: PlaylistContent, videos: VideosById): VideoRow[] => [
    ...new Set(items.flatMap(({ video_id }) => videos.get(video_id) ?? [])),
  ]

  return {
    async stateOf(content: PlaylistContent, byId: VideosById): Promise<ListState> {
      const { recipe } = content.playlist
      const videos = listed(content, byId)
      const [probed, renditions] = await Promise.all([
        probe(videos, recipe, PATIENCE.page),
        renditionsOf(videos, recipe),
      ])
      const fits = judgeFits(content.items.map(({ video_id }) => probed.played(video_id)))
      const open = [...renditions.values()].filter(({ state }) => state !== 'ready')
      if (open.length === 0 && !fits.includes(false)) return { fits, renditions, alike: null }
      const planned = await plan(videos, recipe, probed, PATIENCE.page)
      return { fits, renditions, alike: planned && alikeView(planned, { videos, renditions, kept: recipe }) }
    },

    /** Orders what is missing and answers the recipe; null: all of them are alike already. Refuses with words, and orders nothing then. */
    async order(content: PlaylistContent, byId: VideosById): Promise<string | null> {
      const { recipe: kept } = content.playlist
      const videos = listed(content, byId)
      const probed = await probe(videos, kept, PATIENCE.button)
      const ready = videos.filter(({ status }) => status === 'ready')
      const known = ready.map(({ id }) => probed.played(id))
      // What nobody has looked into may fit as it is.
      if (known.includes(null)) throw new DomainError('server_busy', PLAYLIST_TEXTS.alikeLater)
      if (new Set(known).size < 2) return null
      const planned = await plan(videos, kept, probed, PATIENCE.button)
      if (!planned) throw new DomainError('server_busy', PLAYLIST_TEXTS.alikeLater)
      await library.renditions.orderAll(planned.missing, planned.recipe)
      return planned.recipe
    },
  }
}

interface Listed {
  readonly videos: readonly VideoRow[]
  readonly renditions: ReadonlyMap<string, Rendition>
  readonly kept: string | null
}

function alikeView(
  { recipe: text, missing }: { recipe: string; missing: readonly VideoRow[] },
  { videos, renditions, kept }: Listed,
): PlaylistAlike | null {
  const recipe = parseRecipe(text)
  if (!recipe) return null
  const stateOf = ({ id }: VideoRow): Rendition['state'] | null =>
    text === kept ? (renditions.get(id)?.state ?? null) : null
  const isOpen = (video: VideoRow): boolean => ['waiting', 'preparing'].includes(stateOf(video) ?? '')
  const toOrder = missing.filter((video) => !isOpen(video))
  const secondsOf = ({ duration_ms }: VideoRow): number => (duration_ms ?? 0) / 1000
  const picture = { ...recipe, fps: fpsOf(recipe) }
  return {
    recipe: text,
    missing: toOrder.length,
    bytes: toOrder.reduce((sum, video) => sum + renditionBytes(recipe, secondsOf(video)), 0),
    seconds: toOrder.reduce((sum, video) => sum + usualSeconds(picture, secondsOf(video)), 0),
    underWay: videos.filter(isOpen).length,
    failed: videos.filter((video) => stateOf(video) === 'failed').length,
    progress: progressOf(videos, renditions, kept === text),
  }
}

/** The progress of all that were ordered, by how long they last; null: nothing is. */
function progressOf(
  videos: readonly VideoRow[],
  renditions: ReadonlyMap<string, Rendition>,
  isKept: boolean,
): number | null {
  let [done, whole] = [0, 0]
  for (const { id, duration_ms } of isKept ? videos : []) {
    const made = renditions.get(id)
    if (!made || made.state === 'failed') continue
    const weight = duration_ms ?? 1
    whole += weight
    done += made.state === 'ready' ? weight : (weight * (made.progress ?? 0)) / 100
  }
  return whole === 0 ? null : Math.floor((done / whole) * 100)
}
