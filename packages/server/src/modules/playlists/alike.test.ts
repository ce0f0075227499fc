import { describe, expect, it, vi } from 'vitest'
import type { VideoRow } from '../library/video-row.ts'
import { createAlike } from './alike.ts'
import type { PlaylistContent } from './playlists.repo.ts'

const RECIPE = '1280x720@30:2800'

const videoOf = (id: string) =>
  ({
    ...{ id, user_id: 'ani', status: 'ready', width: 1280, height: 720, fps: 30, duration_ms: 60_000 },
    master: { key: `${id} as it is` },
  }) as unknown as VideoRow
const videos = ['long', 'short'].map(videoOf)
const byId = new Map(videos.map((video) => [video.id, video]))
const listOf = (recipe: string | null) =>
  ({ playlist: { recipe }, items: videos.map(({ id }) => ({ video_id: id })) }) as unknown as PlaylistContent

/** `likes`: what was found out of files. The sample of each recipe is 'ours'. */
function stage(made: readonly string[], likes: Record<string, string>) {
  const orderAll = vi.fn(async (_videos: readonly VideoRow[], _recipe: string) => {})
  const alike = createAlike({
    library: {
      playable: async () => ({}),
      renditions: {
        orderAll,
        ofVideos: async () => new Map(),
        filesOf: async (asked: readonly VideoRow[], recipe: string) =>
          new Map(
            asked
              .filter(({ id }) => recipe === RECIPE && made.includes(id))
              .map(({ id }) => [id, { key: `${id} as made` }]),
          ),
      },
    },
    likenesses: {
      of: async (_owner: string, files: readonly ({ key: string } | null)[]) =>
        files.map((file) => likes[file?.key ?? ''] ?? null),
    },
    samples: {
      of: async (_owner: string, recipes: readonly string[]) => new Map(recipes.map((text) => [text, 'ours'])),
    },
    limitsOf: async () => ({ storageBytes: 1, maxHeight: 1080, maxFps: 60 }),
  } as unknown as Parameters<typeof createAlike>[0])
  const ordered = () => orderAll.mock.calls.flatMap(([asked]) => asked.map(({ id }) => id))
  return { alike, ordered }
}
const asTheyAre = { 'long as it is': 'one', 'short as it is': 'another' }

describe('[LIST-04] a list that is made alike', () => {
  it('has what is missing made', async () => {
    const { alike, ordered } = stage([], asTheyAre)
    const recipe = await alike.order(listOf(null), byId)
    expect(recipe).toMatch(/^1280x720@30:/)
    expect(ordered()).toEqual(['long', 'short'])
  })

  it('takes what was made for another list', async () => {
    const { alike, ordered } = stage(['long'], { ...asTheyAre, 'long as made': 'ours' })
    expect(await alike.order(listOf(null), byId)).toBe(RECIPE)
    expect(ordered()).toEqual(['short'])
  })

  it('takes it also while nobody has looked into it, and not where it is known to be wrong', async () => {
    const unknown = stage(['long', 'short'], asTheyAre)
    expect(await unknown.alike.order(listOf(null), byId)).toBe(RECIPE)
    expect(unknown.ordered()).toEqual([])
    const wrong = stage(['long', 'short'], {
      ...asTheyAre,
      'long as made': 'of an older encoder',
      'short as made': 'ours',
    })
    await wrong.alike.order(listOf(null), byId)
    expect(wrong.ordered()).toEqual(['long'])
  })
})
