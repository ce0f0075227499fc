import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BrandRepo, createBrandRepo } from '../src/modules/branding/brand.repo.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createRenditionOrdersRepo } from '../src/modules/library/rendition-orders.repo.ts'
import { addUser, REPO_DATABASES, type RepoDatabase } from './support/repo-databases.ts'

const logo = (key: string) => ({ logo_key: key, logo_hash: `hash of ${key}`, logo_width: 3, logo_height: 2 })

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
    expect(await repo.lookOwners()).not.toContain(userId)
  })

  it('let a logo go once neither the kit nor a look has it', async () => {
    expect(await repo.setLogo(userId, logo('a'), 1)).toBeNull()
    await keep('aaaaaaaaaaaa')
    expect(await repo.setLogo(userId, logo('b'), 2)).toBeNull()
    expect(await repo.setLogo(userId, logo('c'), 3)).toBe('b')
    await keep('cccccccccccc')
    expect(await repo.lookOwners()).toContain(userId)
    expect(await repo.removeUnused(userId, new Set(['aaaaaaaaaaaa']), 10)).toEqual([])
    expect(await repo.removeUnused(userId, new Set(), 1)).toEqual([])
    expect(await repo.removeUnused(userId, new Set(), 10)).toEqual(['a'])
    expect(await repo.looksOf(userId, ['aaaaaaaaaaaa', 'cccccccccccc'])).toEqual([])
  })

  it('keep a look once, young again when it is wanted again, and of one user alone', async () => {
    await keep('aaaaaaaaaaaa', 1)
    await keep('aaaaaaaaaaaa', 20)
    expect(await repo.looksOf(userId, ['aaaaaaaaaaaa', 'aaaaaaaaaaaa'])).toMatchObject([{ created_at: 20 }])
    expect(await repo.looksOf(await addUser(database.db), ['aaaaaaaaaaaa'])).toEqual([])
    expect(await repo.removeUnused(userId, new Set(), 10)).toEqual([])
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
})
