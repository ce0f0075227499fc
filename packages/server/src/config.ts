import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { PLATFORM_FACTS } from '@siarin/contracts/platforms'
import { Secret } from '@siarin/media/secret'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { BootError } from './errors.ts'
import { isNetwork, LOOPBACK } from './http/trusted-proxies.ts'
import { roleFaults } from './role-needs.ts'
import { s3Faults, storageSettings } from './storage-settings.ts'

/** One copy-mode stream costs about 0.6% of a core, and a line of 1 Gbit/s is full at about 350 streams of 2.7 Mbps. */
const STREAMS_PER_CORE = 100

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1')

/** True: a proxy on this machine. Else the addresses and networks of the proxies. */
const proxies = z
  .string()
  .transform((text): readonly string[] => {
    if (['false', '0'].includes(text)) return []
    return ['true', '1'].includes(text) ? LOOPBACK : text.split(',').map((network) => network.trim())
  })
  .refine((networks) => networks.every(isNetwork), 'must be true, false, or addresses such as 10.0.0.2,172.16.0.0/12')

/** One uses about four cores, since a part of its work is not shared between threads; HDR in 4K takes gigabytes. */
export const usualLongPreparations = (cores: number, memoryBytes: number): number =>
  Math.max(1, Math.min(4, Math.floor(cores / 4), Math.floor(memoryBytes / (4 * 1024 ** 3))))

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

const hours = (fallback: number | null) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be a number of hours, such as 8 or 11.5, or 0 for no limit')
    .default(String(fallback ?? 0))
    .transform((text) => (Number(text) > 0 ? Number(text) * 3_600_000 : null))

const urlOf = (...schemes: string[]) =>
  z.string().refine(
    (value) => {
      const url = URL.parse(value)
      return url !== null && url.host !== '' && schemes.includes(url.protocol)
    },
    `must be an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  )

/** As the resolver takes it: an address, with a port where it is not 53. */
const isDnsServer = (text: string): boolean => ipaddr.isValid(text) || /^(\[[\da-f:]+\]|[\d.]+):\d{1,5}$/i.test(text)

const secretText = (min: number) =>
  z
    .string()
    .min(min, `must have at least ${min} characters`)
    .transform((value) => new Secret(value))

/** The number of the bot, and what makes it a secret. */
const BOT_TOKEN = /^\d{5,20}:[\w-]{30,100}$/

/** An address, alone or behind a name. */
const MAIL_SENDER = /^(?:[^\s@<>]+@[^\s@<>]+|[^<>\r\n]+<[^\s@<>]+@[^\s@<>]+>)$/

const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: urlOf('http:', 'https:')
    .transform((value) => new URL(value).origin)
    .optional(),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  SHARED_DATA_DIR: flag.default(false),
  WORKER_ID: z
    .string()
    .regex(/^[a-z0-9][\w.-]{0,62}$/i, 'must be a short name of letters, digits, dots and dashes, such as worker-1')
    .optional(),
  ROLE: z.enum(['all', 'web', 'worker'], { error: 'must be all, web or worker' }).default('all'),
  DATABASE_URL: urlOf('postgres:', 'postgresql:')
    .transform((value) => new Secret(value))
    .optional(),
  REDIS_URL: urlOf('redis:', 'rediss:')
    .transform((value) => new Secret(value))
    .optional(),
  // It is named in messages.
  S3_ENDPOINT: urlOf('http:', 'https:')
    .refine(
      (value) => !URL.parse(value)?.username && !URL.parse(value)?.password,
      'must have no name or password in it',
    )
    .optional(),
  S3_REGION: z.string().optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'must be the name of a bucket, such as siarin-media')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: secretText(1).optional(),
  S3_PREFIX: z
    .string()
    .regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/, 'must be the beginning of names, such as siarin or media/siarin')
    .transform((text) => (text.endsWith('/') ? text : `${text}/`))
    .optional(),
  CACHE_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  CACHE_MAX_GB: wholeNumber(1, 100_000).optional(),
  APP_SECRET: secretText(16).optional(),
  BRAND_NAME: z.string().max(40, 'must have at most 40 characters').default('Siarin'),
  WHATSAPP_NUMBER: z
    .string()
    .regex(/^[1-9]\d{7,14}$/, 'must be digits only with the country code, such as 6281234567890')
    .default(''),
  TRIAL_DAYS: wholeNumber(1, 365).default(1),
  FFMPEG_PATH: z.string().default('ffmpeg'),
  FFPROBE_PATH: z.string().default('ffprobe'),
  BIGO_API_URL: urlOf('http:', 'https:').default('https://ta.bigo.tv'),
  STREAMLABS_API_URL: urlOf('http:', 'https:').default('https://streamlabs.com'),
  VIDEO_SERVICE_URL: urlOf('http:', 'https:')
    .transform((value) => new URL(value).origin)
    .optional(),
  ALLOW_PRIVATE_NETWORK: flag.default(false),
  DNS_SERVERS: z
    .string()
    .transform((text) => text.split(',').map((server) => server.trim()))
    .refine(
      (servers) => servers.every((server) => isDnsServer(server)),
      'must be addresses such as 1.1.1.1 or 9.9.9.9:53',
    )
    .optional(),
  OWN_ADDRESSES: z
    .string()
    .transform((text) => text.split(',').map((address) => address.trim()))
    .refine(
      (addresses) => addresses.every((address) => ipaddr.isValid(address)),
      'must be addresses such as 203.0.113.7',
    )
    .optional(),
  MAX_LONG_PREPARATIONS: wholeNumber(1, 100).default(usualLongPreparations(availableParallelism(), totalmem())),
  MAX_RELAY_ENCODES: wholeNumber(0, 1000).default(Math.max(1, Math.floor(availableParallelism() / 2))),
  TRUST_PROXY: proxies.default([]),
  MAX_STREAMS_PER_WORKER: wholeNumber(1, 10_000).default(availableParallelism() * STREAMS_PER_CORE),
  MAX_CPU_PERCENT: wholeNumber(1, 100).default(90),
  MIN_FREE_MEMORY_MB: wholeNumber(0, 10_000_000).default(200),
  SESSION_HOURS_YOUTUBE: hours(PLATFORM_FACTS.youtube.sessionHours),
  SESSION_HOURS_FACEBOOK: hours(PLATFORM_FACTS.facebook.sessionHours),
  SESSION_HOURS_TIKTOK: hours(PLATFORM_FACTS.tiktok.sessionHours),
  SESSION_HOURS_OTHER: hours(PLATFORM_FACTS.lain.sessionHours),
  KEEP_STREAMS_ON_EXIT: flag.default(false),
  ENFORCE_PLANS: flag.default(true),
  STORAGE_LIMIT_GB: wholeNumber(1, 100_000).optional(),
  DISK_RESERVE_MB: wholeNumber(0, 1_000_000).default(1024),
  MAX_VIDEO_HEIGHT: wholeNumber(144, 4320).optional(),
  MAX_VIDEO_FPS: wholeNumber(10, 120).optional(),
  WATCHDOG_SECONDS: wholeNumber(2, 3600).default(20),
  SMTP_URL: urlOf('smtp:', 'smtps:')
    .transform((value) => new Secret(value))
    .optional(),
  MAIL_FROM: z
    .string()
    .max(200, 'must have at most 200 characters')
    .regex(MAIL_SENDER, 'must be an address such as no-reply@siarin.example, or Siarin <no-reply@siarin.example>')
    .optional(),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(BOT_TOKEN, 'must be a token as @BotFather gives it, such as 123456789:AAE…')
    .transform((value) => new Secret(value))
    .optional(),
  TELEGRAM_BOT_NAME: z
    .string()
    .regex(/^@?\w{4,64}$/, 'must be the name of the bot, such as siarin_bot')
    .transform((name) => name.replace('@', ''))
    .optional(),
  TELEGRAM_API_URL: urlOf('http:', 'https:')
    .default('https://api.telegram.org')
    .transform((value) => value.replace(/\/+$/, '')),
  DISCORD_API_URL: urlOf('http:', 'https:')
    .default('https://discord.com')
    .transform((value) => new URL(value).origin),
  PUSH_CONTACT: z
    .string()
    .max(200, 'must have at most 200 characters')
    .regex(
      /^(?:mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s/]+\S*)$/,
      'must be mailto:you@example.com or an https address',
    )
    .optional(),
  METRICS_TOKEN: secretText(16).optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
})

const NEEDS_SENDER = 'MAIL_FROM is needed with SMTP_URL: mails have to come from somebody'
const NEEDS_PUBLIC_URL =
  'PUBLIC_URL is needed with SMTP_URL: links in mails lead there, and a request must not decide where'
const NEEDS_BOT = 'TELEGRAM_BOT_TOKEN and TELEGRAM_BOT_NAME belong together: set both or none'

/** How people are told outside of the app. */
function alertSettings(settings: z.infer<typeof Environment>) {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_NAME: name, PUBLIC_URL: publicUrl, MAIL_FROM: from } = settings
  const sender = /[^\s@<>]+@[^\s@<>]+/.exec(from ?? '')?.[0]
  const home = publicUrl?.startsWith('https:') ? publicUrl : 'mailto:operator@siarin.invalid'
  return {
    telegram: { bot: token && name ? { token, name } : null, apiUrl: settings.TELEGRAM_API_URL },
    discordApiUrl: settings.DISCORD_API_URL,
    /** Whom a push service may write to about us: it refuses who names nobody. */
    pushContact: settings.PUSH_CONTACT ?? (sender ? `mailto:${sender}` : home),
  }
}

/** Every setting that there is. */
export const SETTING_NAMES: readonly string[] = Object.keys(Environment.shape)

export type Config = Readonly<ReturnType<typeof readConfig>>

/** An empty setting counts as absent, so that `PORT=` in a compose file means the default. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
  const parsed = Environment.safeParse(given)
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  faults.push(...roleFaults(given))
  if (given['SMTP_URL'] && !given['MAIL_FROM']) faults.push(NEEDS_SENDER)
  if (given['SMTP_URL'] && !given['PUBLIC_URL']) faults.push(NEEDS_PUBLIC_URL)
  if (!given['TELEGRAM_BOT_TOKEN'] !== !given['TELEGRAM_BOT_NAME']) faults.push(NEEDS_BOT)
  faults.push(...s3Faults(given))
  if (!parsed.success || faults.length > 0) throw new BootError(faults)

  const settings = parsed.data
  return Object.freeze({
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL ?? null,
    dataDir: settings.DATA_DIR,
    /** Other machines use the same folder. */
    isDataDirShared: settings.SHARED_DATA_DIR,
    workerId: settings.WORKER_ID ?? null,
    role: settings.ROLE,
    databaseUrl: settings.DATABASE_URL ?? null,
    redisUrl: settings.REDIS_URL ?? null,
    appSecret: settings.APP_SECRET ?? null,
    brandName: settings.BRAND_NAME,
    whatsappNumber: settings.WHATSAPP_NUMBER,
    trialDays: settings.TRIAL_DAYS,
    ffmpegPath: settings.FFMPEG_PATH,
    ffprobePath: settings.FFPROBE_PATH,
    bigoApiUrl: settings.BIGO_API_URL,
    streamlabsApiUrl: settings.STREAMLABS_API_URL,
    videoServiceUrl: settings.VIDEO_SERVICE_URL ?? '',
    allowPrivateNetwork: settings.ALLOW_PRIVATE_NETWORK,
    dnsServers: settings.DNS_SERVERS ?? [],
    own: {
      host: settings.PUBLIC_URL ? new URL(settings.PUBLIC_URL).hostname : null,
      addresses: settings.OWN_ADDRESSES ?? [],
    },
    maxLongPreparations: settings.MAX_LONG_PREPARATIONS,
    maxRelayEncodes: settings.MAX_RELAY_ENCODES,
    trustProxy: settings.TRUST_PROXY,
    maxStreamsPerWorker: settings.MAX_STREAMS_PER_WORKER,
    machineLimits: {
      maxCpuPercent: settings.MAX_CPU_PERCENT,
      minFreeMemoryBytes: settings.MIN_FREE_MEMORY_MB * 1024 ** 2,
    },
    sessionLimits: {
      youtube: settings.SESSION_HOURS_YOUTUBE,
      facebook: settings.SESSION_HOURS_FACEBOOK,
      tiktok: settings.SESSION_HOURS_TIKTOK,
      lain: settings.SESSION_HOURS_OTHER,
    },
    keepStreamsOnExit: settings.KEEP_STREAMS_ON_EXIT,
    enforcePlans: settings.ENFORCE_PLANS,
    /** What the machine can bear, whatever a plan allows. */
    mostPerUser: {
      storageGb: settings.STORAGE_LIMIT_GB ?? Number.POSITIVE_INFINITY,
      maxHeight: settings.MAX_VIDEO_HEIGHT ?? Number.POSITIVE_INFINITY,
      maxFps: settings.MAX_VIDEO_FPS ?? Number.POSITIVE_INFINITY,
    },
    diskReserveBytes: settings.DISK_RESERVE_MB * 1024 ** 2,
    watchdogMs: settings.WATCHDOG_SECONDS * 1000,
    /** Null: no mails are sent. */
    mail: settings.SMTP_URL && settings.MAIL_FROM ? { smtpUrl: settings.SMTP_URL, from: settings.MAIL_FROM } : null,
    ...alertSettings(settings),
    ...storageSettings(settings),
    metricsToken: settings.METRICS_TOKEN ?? null,
    logLevel: settings.LOG_LEVEL,
  })
}
