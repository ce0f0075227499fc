import { Look } from '@siarin/contracts/branding'
import { RENDITIONS_MAX } from '@siarin/contracts/rendition-texts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BrandRepo, createBrandRepo } from '../src/modules/branding/brand.repo.ts'
import { createBrandLooks } from '../src/modules/branding/brand-looks.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createOrderedRenditions } from '../src/modules/library/ordered-renditions.ts'
import { createRenditionOrdersRepo } from '../src/modules/library/rendition-orders.repo.ts'
import type { VideoRow } from '../src/modules/library/video-row.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const logo = (key: string) => ({ logo_key: key, logo_hash: `hash of ${key}`, logo_width: 3, logo_height: 2 })

async function allOf<T>(found: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of found) all.push(each)
  return all
}

describe.each(REPO_DATABASES)('[BRAND-01] brands, on $name', ({ open }) => {
  let database: RepoDatabase
  let repo: BrandRepo
  let userId: string

  beforeAll(async () => {
    database = await open()
    repo = createBrandRepo(database.db)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    userId = await addUser(database.db)
  })
  const unneeded = async (used: readonly string[], before: number, spared = 0) =>
    (await allOf(repo.removeUnused(userId, { used: new Set(used), before, spared }))).flat()
  const owners = () => allOf(repo.lookOwners())
  const keep = (id: string, now = 1) =>
    repo.keepLook(userId, (kit) => ({ id, look: '{}', logo_key: kit?.logo_key ?? null }), now)

  it('are kept in parts, and go with their user', async () => {
    expect(await repo.kitOf(userId)).toBeNull()
    await repo.save(userId, { text: 'Kopi' }, 1)
    await repo.setLogo(userId, logo('a'), 2)
    await repo.save(userId, { colours: '{}' }, 3)
    expect(await repo.kitOf(userId)).toEqual({
      user_id: userId,
      ...logo('a'),
      text: 'Kopi',
      colours: '{}',
      updated_at: 3,
    })
    await keep('0123456789ab')
    await database.db.deleteFrom('users').where('id', '=', userId).execute()
    expect(await repo.kitOf(userId)).toBeNull()
    expect(await owners()).not.toContain(userId)
  })

  it('let a logo go once neither the kit nor a look has it', async () => {
    expect(await repo.setLogo(userId, logo('a'), 1)).toBeNull()
    await keep('aaaaaaaaaaaa')
    expect(await repo.setLogo(userId, logo('b'), 2)).toBeNull()
    expect(await repo.setLogo(userId, logo('c'), 3)).toBe('b')
    await keep('cccccccccccc')
    expect(await owners()).toContain(userId)
    expect(await unneeded(['aaaaaaaaaaaa'], 10)).toEqual([])
    expect(await unneeded([], 1)).toEqual([])
    expect(await unneeded([], 10)).toEqual(['a'])
    expect(await repo.looksOf(userId, ['aaaaaaaaaaaa', 'cccccccccccc'])).toEqual([])
  })

  it('keep a look once, young again when it is wanted again, and of one user alone', async () => {
    await keep('aaaaaaaaaaaa', 1)
    await keep('aaaaaaaaaaaa', 20)
    expect(await repo.looksOf(userId, ['aaaaaaaaaaaa', 'aaaaaaaaaaaa'])).toMatchObject([{ created_at: 20 }])
    expect(await repo.looksOf(await addUser(database.db), ['aaaaaaaaaaaa'])).toEqual([])
    expect(await unneeded([], 10)).toEqual([])
    expect(await repo.looksOf(userId, ['aaaaaaaaaaaa'])).toHaveLength(1)
  })

  it('know which looks are named by what was made and by what is to be made', async () => {
    const id = crypto.randomUUID()
    await createLibraryRepo(database.db).insert({
      ...{ id, user_id: userId, filename: 'a.mp4', status: 'ready', content_type: '', created_at: 0 },
      ...{ original_key: 'a', original_bytes: 8 },
    })
    const orders = createRenditionOrdersRepo(database.db)
    await orders.place({ video_id: id, recipe: '640x360@30:900+baaaaaaaaaaaa' }, 1)
    await orders.place({ video_id: id, recipe: '640x360@30:900' }, 1)
    await database.db
      .insertInto('renditions')
      .values({
        ...{ id: crypto.randomUUID(), video_id: id, recipe: '640x360@30:800+bbbbbbbbbbbbb', key: 'k', bytes: 1 },
        ...{ content_type: '', loop: null, tail_key: null, thumbnail_key: null, state: 'replaced', created_at: 1 },
      })
      .execute()
    expect(await orders.looksOf(userId)).toEqual(new Set(['aaaaaaaaaaaa', 'bbbbbbbbbbbb']))
    expect(await orders.looksOf(await addUser(database.db))).toEqual(new Set())
  })

  /** Each order and each clearing in its own moment. */
  function ordering() {
    let now = 1_000
    const clock = { now: () => ++now }
    const orders = createRenditionOrdersRepo(database.db)
    const looks = createBrandLooks({
      ...{ repo, clock, plans: { assertBranding: async () => {} } },
      async clearBut(_userId, spared) {
        await unneeded([...(await orders.looksOf(userId))], clock.now(), spared)
      },
    })
    const ordered = createOrderedRenditions({
      ...{ orders, looks, clock, waits: async () => new Map(), queue: { add: async () => {} } },
      room: {
        forRendition: async () => ({ bytes: 1e12, refusal: () => new Error('no room') }),
        assertDiskRoom: async () => {},
      },
      limitsOf: async () => ({ storageBytes: 1e12, maxHeight: 1080, maxFps: 60 }),
      ...{ isOnAir: async () => false, isPlayed: async () => false, recordings: { isKeyKept: async () => false } },
      ...{ masters: { clearOf: async () => {} }, events: { emit: () => {} }, storage: {} },
    } as unknown as Parameters<typeof createOrderedRenditions>[0])
    return { ordered, looks }
  }
  async function addVideo(): Promise<VideoRow> {
    const id = crypto.randomUUID()
    const library = createLibraryRepo(database.db)
    await library.insert({
      ...{ id, user_id: userId, filename: `${id}.mp4`, status: 'ready', content_type: '', created_at: 0 },
      ...{ original_key: 'a', original_bytes: 8, width: 1280, height: 720, fps: 30, duration_ms: 10_000 },
    })
    const video = await library.byId(id)
    if (!video) throw new Error('there is no video')
    return video
  }
  const framed = (number: number) => {
    const colour = `#${number.toString(16).padStart(6, '0')}`
    return { look: Look.parse({ frame: { shape: '9:16', fit: 'bars', colour } }) }
  }
  const kept = () => database.db.selectFrom('brand_looks').select('id').where('user_id', '=', userId).execute()

  it('keep no look of an order that is refused', async () => {
    const { ordered } = ordering()
    const video = await addVideo()
    const outcomes = { placed: 0, refused: 0 }
    for (let number = 0; number < 300; number++) {
      const outcome = await ordered.order(video, framed(number)).then(
        () => 'placed' as const,
        () => 'refused' as const,
      )
      outcomes[outcome]++
    }
    expect(outcomes).toEqual({ placed: RENDITIONS_MAX, refused: 300 - RENDITIONS_MAX })
    expect(await kept()).toHaveLength(RENDITIONS_MAX)
  })

  it('keep some hundred looks at most that nothing names', async () => {
    const { ordered, looks } = ordering()
    const video = await addVideo()
    const first = await ordered.order(video, framed(0))
    // As for an order that is taken back, or a broadcast that does not begin.
    for (let number = 1; number <= 1_000; number++) await looks.freeze(userId, framed(number).look)
    const ids = (await kept()).map(({ id }) => id)
    expect(ids.length).toBeLessThanOrEqual(301)
    expect(ids).toContain(first.recipe.slice(-12))
    expect(ids).toContain(await looks.idOf(userId, framed(1_000).look))
  })

  it('are cleared away in small batches, however many there are', async () => {
    const { db } = database
    const ids = Array.from({ length: 20_000 }, (_, index) => `look ${index}`)
    for (let from = 0; from < ids.length; from += 1_000) {
      const some = ids.slice(from, from + 1_000)
      const rows = some.map((id) => ({ user_id: userId, id, look: '{}', logo_key: null, created_at: 1 }))
      await db.insertInto('brand_looks').values(rows).execute()
    }
    const amounts: number[] = []
    const watched = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        amounts.push(result.rows.length, Number(result.numAffectedRows ?? 0n))
        return result
      },
    })
    const clearing = createBrandRepo(watched).removeUnused(userId, { used: new Set(['look 7']), before: 10 })
    expect((await allOf(clearing)).flat()).toEqual([])
    expect(await kept()).toEqual([{ id: 'look 7' }])
    expect(Math.max(...amounts)).toBeLessThanOrEqual(500)
  })
})
