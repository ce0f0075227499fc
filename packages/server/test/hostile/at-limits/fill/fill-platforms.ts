import { randomUUID } from 'node:crypto'
import { Secret } from '@siarin/media/secret'
import { DAY_MS, type Filling, type Ids } from '../account.ts'
import { fillRows, idOf, plus, text } from '../fill-rows.ts'

export interface FilledPlatforms {
  readonly targets: Ids
  readonly bigo: Ids
  readonly tiktok: Ids
  readonly sources: Ids
}

/** Where things go to and come from. */
export async function fillPlatforms({ db, userId, like, amounts, sealer, now }: Filling): Promise<FilledPlatforms> {
  const targets = { like: randomUUID(), count: amounts.targets - 1 }
  await fillRows(db, 'targets', targets.count, {
    ...like.target,
    ...{ id: idOf(targets.like), user_id: userId, name: text('Tujuan '), name_key: text('tujuan ') },
    created_at: plus(now - DAY_MS, 1000),
  })
  const [bigo, tiktok] = [0, 1].map(() => ({ like: randomUUID(), count: amounts.accountsEach })) as [Ids, Ids]
  for (const [platform, { like: id, count }] of Object.entries({ bigo, tiktok })) {
    await fillRows(db, 'platform_accounts', count, {
      ...like.platformAccount,
      ...{ id: idOf(id), user_id: userId, platform, name: text('Akun '), credential_mark: idOf(randomUUID()) },
    })
  }
  const sources = { like: randomUUID(), count: amounts.onlineSources }
  await fillRows(db, 'online_sources', sources.count, {
    ...{ id: idOf(sources.like), user_id: userId, name: text('Sumber '), url_mark: idOf(randomUUID()) },
    ...{ url_sealed: sealer.seal(new Secret('http://127.0.0.1:1/x.m3u8')), created_at: plus(now - DAY_MS, 1000) },
  })
  await fillRows(db, 'platform_broadcasts', amounts.broadcasts, {
    ...{ id: idOf(randomUUID()), user_id: userId, token_sealed: sealer.seal(new Secret('token')) },
    ...{ broadcast_id: text('siaran'), target_mark: idOf(randomUUID()), stream_id: null, created_at: now - DAY_MS },
    ended_at: now - DAY_MS / 2,
  })
  await fillBrand({ db, userId, amounts, now })
  return { targets, bigo, tiktok, sources }
}

const LOOK = {
  look: { logo: null, lowerThird: null, frame: { shape: '9:16', fit: 'blur', colour: '#000000', focus: 50 } },
  ...{ line: null, logo: null },
}

async function fillBrand({
  db,
  userId,
  amounts,
  now,
}: Pick<Filling, 'db' | 'userId' | 'amounts' | 'now'>): Promise<void> {
  await db
    .insertInto('brand_kits')
    .values({ user_id: userId, text: 'Nama saluran', updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await fillRows(db, 'brand_looks', amounts.looks, {
    ...{ user_id: userId, id: text('', plus(100_000_000_000, 1)), look: JSON.stringify(LOOK) },
    ...{ logo_key: null, created_at: now - DAY_MS },
  })
}
