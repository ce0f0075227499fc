import { describe, expect, it } from 'vitest'
import { readConfig, usualLongPreparations } from './config.ts'
import { BootError } from './errors.ts'

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof BootError) return error.faults
    throw error
  }
}

describe('the settings', () => {
  it('all have a default', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      publicUrl: null,
      role: 'all',
      databaseUrl: null,
      redisUrl: null,
      brandName: 'Siarin',
      trialDays: 1,
      allowPrivateNetwork: false,
      logLevel: 'info',
    })
  })

  it('are absent when they are empty', () => {
    expect(readConfig({ PORT: ' ', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null })
  })

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })

  it('list every fault at once, each with its name', () => {
    const faults = faultsOf({
      PORT: '99999',
      ROLE: 'boss',
      PUBLIC_URL: 'siarin',
      DATABASE_URL: 'mysql://x',
      TRIAL_DAYS: '0',
      ALLOW_PRIVATE_NETWORK: 'maybe',
      WHATSAPP_NUMBER: '+62 812',
      LOG_LEVEL: 'loud',
    })
    const names = faults.map((fault) => fault.split(' ')[0])
    expect(names.sort()).toEqual([
      'ALLOW_PRIVATE_NETWORK',
      'DATABASE_URL',
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'ROLE',
      'TRIAL_DAYS',
      'WHATSAPP_NUMBER',
    ])
  })

  it('keep the origin of PUBLIC_URL only', () => {
    expect(readConfig({ PUBLIC_URL: 'https://siarin.example/' }).publicUrl).toBe('https://siarin.example')
  })

  it.each([
    ['', []],
    ['false', []],
    ['true', ['127.0.0.0/8', '::1/128']],
    ['10.0.0.2, 172.16.0.0/12', ['10.0.0.2', '172.16.0.0/12']],
  ])('[SAFE-06] TRUST_PROXY=%s names the proxies', (text, proxies) => {
    expect(readConfig({ TRUST_PROXY: text }).trustProxy).toEqual(proxies)
  })

  it('[SAFE-06] TRUST_PROXY takes no name and no half of an address', () => {
    for (const text of ['maybe', 'proxy.example', '10.0.0', '10.0.0.0/40', '10.0.0.2,'])
      expect(faultsOf({ TRUST_PROXY: text })).toEqual([expect.stringContaining('TRUST_PROXY must be true, false, or')])
  })

  describe('[MANY-01] for roles that run apart', () => {
    const shared = {
      DATABASE_URL: 'postgres://siarin@db.example/siarin',
      REDIS_URL: 'redis://127.0.0.1:6379',
      APP_SECRET: 'one for all of the machines',
    }

    it.each(['web', 'worker'])('ROLE=%s lists all that is missing at once', (ROLE) => {
      const names = (env: Record<string, string>) => faultsOf(env).map((fault) => fault.split(' ')[0])
      expect(names({ ROLE })).toEqual(['DATABASE_URL', 'REDIS_URL', 'APP_SECRET', 'S3_BUCKET'])
      expect(names({ ROLE, ...shared })).toEqual(['S3_BUCKET'])
      expect(names({ ROLE, ...shared, SHARED_DATA_DIR: 'false' })).toEqual(['S3_BUCKET'])
      expect(names({ ROLE, ...shared, SHARED_DATA_DIR: 'true' })).toEqual([])
      expect(names({ ROLE, ...shared, APP_SECRET: ' ', SHARED_DATA_DIR: '1' })).toEqual(['APP_SECRET'])
      expect(names({ ROLE, TRIAL_DAYS: 'many', ...shared })).toEqual(['TRIAL_DAYS', 'S3_BUCKET'])
    })

    it('a machine alone needs none of it', () => {
      expect(faultsOf({ ROLE: 'all' })).toEqual([])
      expect(readConfig({})).toMatchObject({ isDataDirShared: false, workerId: null })
    })

    it('WORKER_ID is a short name', () => {
      expect(readConfig({ WORKER_ID: 'worker-1.jakarta' }).workerId).toBe('worker-1.jakarta')
      for (const WORKER_ID of ['a b', '../x', '-x', 'a~b', 'x'.repeat(64)])
        expect(faultsOf({ WORKER_ID }), WORKER_ID).toEqual([expect.stringMatching(/^WORKER_ID must be a short name/)])
    })
  })

  it('need a sender and the own address for mails, and say so', () => {
    const SMTP_URL = 'smtp://user:pass@mail.example:587'
    expect(faultsOf({ SMTP_URL })).toEqual([expect.stringMatching(/^MAIL_FROM/), expect.stringMatching(/^PUBLIC_URL/)])
    const rest = { MAIL_FROM: 'Siarin <no-reply@siarin.example>', PUBLIC_URL: 'https://siarin.example' }
    expect(readConfig({ SMTP_URL, ...rest }).mail?.from).toBe(rest.MAIL_FROM)
    expect(faultsOf({ ...rest, SMTP_URL: 'mail.example' })).toEqual([expect.stringMatching(/^SMTP_URL must be/)])
    for (const MAIL_FROM of ['siarin', 'a@b@c', 'Siarin <siarin>', 'Siarin <a@b.id> x']) {
      expect(faultsOf({ ...rest, SMTP_URL, MAIL_FROM }), MAIL_FROM).toEqual([
        expect.stringMatching(/^MAIL_FROM must be/),
      ])
    }
    expect(JSON.stringify(readConfig({ SMTP_URL, ...rest }))).not.toContain('pass')
    expect(readConfig({}).mail).toBeNull()
  })

  it('take a Telegram bot whole or not at all, and print no token', () => {
    const TELEGRAM_BOT_TOKEN = `123456789:AAE${'x'.repeat(32)}`
    expect(readConfig({}).telegram).toEqual({ bot: null, apiUrl: 'https://api.telegram.org' })
    expect(faultsOf({ TELEGRAM_BOT_TOKEN })).toEqual([expect.stringContaining('TELEGRAM_BOT_NAME')])
    expect(faultsOf({ TELEGRAM_BOT_NAME: 'siarin_bot' })).toEqual([expect.stringContaining('TELEGRAM_BOT_TOKEN')])
    const config = readConfig({ TELEGRAM_BOT_TOKEN, TELEGRAM_BOT_NAME: '@siarin_bot' })
    expect(config.telegram.bot?.name).toBe('siarin_bot')
    expect(JSON.stringify(config)).not.toContain('AAE')
    const odd = faultsOf({ TELEGRAM_BOT_TOKEN: 'AAE-secret', TELEGRAM_BOT_NAME: 'a bot' })
    expect(odd).toEqual([
      expect.stringMatching(/^TELEGRAM_BOT_TOKEN must be/),
      expect.stringMatching(/^TELEGRAM_BOT_NAME must be/),
    ])
    expect(odd.join()).not.toContain('AAE-secret')
  })

  it('name somebody to push services', () => {
    const contactOf = (env: Record<string, string>) => readConfig(env).pushContact
    const PUBLIC_URL = 'https://siarin.example'
    expect(contactOf({ PUBLIC_URL, MAIL_FROM: 'Siarin <no-reply@siarin.example>' })).toBe(
      'mailto:no-reply@siarin.example',
    )
    expect(contactOf({ PUBLIC_URL })).toBe(PUBLIC_URL)
    expect(contactOf({ PUBLIC_URL: 'http://10.0.0.7' })).toMatch(/^mailto:/)
    expect(contactOf({ PUBLIC_URL, PUSH_CONTACT: 'mailto:rina@siarin.example' })).toBe('mailto:rina@siarin.example')
    for (const PUSH_CONTACT of ['rina@siarin.example', 'http://siarin.example', 'mailto:rina'])
      expect(faultsOf({ PUSH_CONTACT }), PUSH_CONTACT).toEqual([expect.stringMatching(/^PUSH_CONTACT must be/)])
  })

  it('do not print their secrets', () => {
    const config = readConfig({ APP_SECRET: 'a-very-secret-text', DATABASE_URL: 'postgres://u:pass@db/x' })
    expect(JSON.stringify(config)).not.toMatch(/very-secret|pass@/)
    expect(faultsOf({ APP_SECRET: 'too-short', DATABASE_URL: 'mysql://u:pass@db' }).join()).not.toMatch(
      /too-short|pass@/,
    )
  })
})

describe('how many long preparations run at once', () => {
  it('is one on a small machine, and follows cores and memory on a large one', () => {
    const gib = 1024 ** 3
    expect(usualLongPreparations(1, gib)).toBe(1)
    expect(usualLongPreparations(2, 8 * gib)).toBe(1)
    expect(usualLongPreparations(8, 16 * gib)).toBe(2)
    expect(usualLongPreparations(16, 8 * gib)).toBe(2)
    expect(usualLongPreparations(64, 256 * gib)).toBe(4)
  })
})

describe('a store for videos', () => {
  const S3 = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_REGION: 'ap-southeast-3',
    S3_BUCKET: 'siarin-media',
    S3_ACCESS_KEY_ID: 'kunci',
    S3_SECRET_ACCESS_KEY: 'rahasia-sekali',
  }

  it('is none unless it is named, and its prefix ends with a slash', () => {
    expect(readConfig({ DATA_DIR: '/srv' })).toMatchObject({ s3: null, cache: { dir: '/srv/cache', maxBytes: null } })
    const named = readConfig({ ...S3, S3_PREFIX: 'media/siarin', CACHE_DIR: '/disk', CACHE_MAX_GB: '20' })
    expect(named.s3).toMatchObject({ endpoint: S3.S3_ENDPOINT, bucket: 'siarin-media', prefix: 'media/siarin/' })
    expect(named.cache).toEqual({ dir: '/disk', maxBytes: 20 * 1024 ** 3 })
    expect(JSON.stringify(named)).not.toContain(S3.S3_SECRET_ACCESS_KEY)
  })

  it('is refused with a password in its address, which nobody repeats', () => {
    const faults = faultsOf({ ...S3, S3_ENDPOINT: 'https://siapa:rahasia@s3.example.com' })
    expect(faults).toEqual([expect.stringContaining('S3_ENDPOINT must have no name or password in it')])
    expect(faults.join()).not.toContain('rahasia')
  })

  it('is named whole or not at all, and every fault is told at once', () => {
    for (const name of Object.keys(S3)) {
      expect(faultsOf({ ...S3, [name]: '' })).toEqual([`${name} is needed too: set all of S3_* or none`])
    }
    expect(faultsOf({ S3_PREFIX: 'media' })).toHaveLength(1)
    const faults = faultsOf({ S3_BUCKET: 'Not A Bucket', S3_PREFIX: '../up', CACHE_MAX_GB: '0' })
    expect(faults.map((fault) => fault.split(/[ ,]/)[0]).sort()).toEqual([
      'CACHE_MAX_GB',
      'S3_BUCKET',
      'S3_ENDPOINT',
      'S3_PREFIX',
    ])
  })
})
