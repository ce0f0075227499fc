import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig, SETTING_NAMES } from '../packages/server/src/config.ts'
import { BootError } from '../packages/server/src/errors.ts'

type Env = Record<string, string>

interface Service {
  image: string
  build?: { context: string; dockerfile: string }
  environment: Env
  volumes?: string[]
  healthcheck?: { test: string[] }
  restart?: string
  depends_on?: Record<string, { condition: string }>
  configs?: { source: string }[]
}

const read = (path: string): string => readFileSync(`deploy/${path}`, 'utf8')
const compose: { services: Record<string, Service>; volumes: object; configs: Record<string, { content: string }> } =
  parse(read('compose.yaml'), { merge: true })
const { services } = compose
const programs = Object.entries(services).filter(([, { image }]) => image === 'siarin')

/** What an operator would fill in. */
const SAMPLES: Env = {
  PUBLIC_URL: 'https://siarin.example',
  DATABASE_URL: 'postgres://siarin:pw@db.example:5432/siarin',
  REDIS_URL: 'redis://:pw@redis.example:6379',
  APP_SECRET: '0123456789abcdef0123456789abcdef',
  S3_ENDPOINT: 'https://s3.example',
  S3_REGION: 'us-east-1',
  S3_BUCKET: 'siarin-media',
  S3_ACCESS_KEY_ID: 'siarin',
  S3_SECRET_ACCESS_KEY: 'also a secret',
  POSTGRES_PASSWORD: '2f6b0c',
  REDIS_PASSWORD: '77aa01',
}

/** As Compose fills in `${NAME:?words}` and `${NAME:-default}`. */
function filled(env: Env, given: Env): Env {
  const fill = (text: string): string =>
    String(text).replaceAll(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name, kind, rest) => {
      if (given[name]) return given[name]
      if (kind === '?') throw new Error(`${name}: ${rest}`)
      return rest
    })
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]))
}

const assignments = (text: string): Env =>
  Object.fromEntries([...text.matchAll(/^([A-Z]\w*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

const faultsOf = (env: Env): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof BootError) return error.faults
    throw error
  }
}

const SECRET = /SECRET|PASSWORD|TOKEN|KEY|AUTH/
const unknownIn = (env: Env): string[] => Object.keys(env).filter((name) => !SETTING_NAMES.includes(name))

describe('[MANY-01] the compose file', () => {
  it('has web, two workers and all that they share', () => {
    expect(programs.map(([, { environment }]) => environment['ROLE']).sort()).toEqual(['web', 'worker', 'worker'])
    expect(Object.keys(services)).toEqual(expect.arrayContaining(['postgres', 'redis', 's3']))
  })

  it.each(programs)(
    '%s starts with settings that the program knows, and with all that its role needs',
    (_, service) => {
      expect(unknownIn(service.environment)).toEqual([])
      expect(faultsOf(filled(service.environment, SAMPLES))).toEqual([])
      const config = readConfig(filled(service.environment, SAMPLES))
      expect(config.isDataDirShared).toBe(false)
      expect(config.s3).not.toBeNull()
      expect(new URL(config.databaseUrl?.reveal() ?? '').hostname in services).toBe(true)
      expect(new URL(config.redisUrl?.reveal() ?? '').hostname in services).toBe(true)
      expect(new URL(service.environment['S3_ENDPOINT'] ?? '').hostname in services).toBe(true)
      expect(service.depends_on).toMatchObject({ postgres: {}, redis: {}, s3: {} })
      expect(service.build).toEqual({ context: '..', dockerfile: 'deploy/Dockerfile' })
    },
  )

  it('gives each program a name and a folder of its own', () => {
    const ids = programs.map(([, { environment }]) => environment['WORKER_ID'])
    const folders = programs.map(([, { volumes }]) => volumes?.find((each) => each.endsWith(':/var/lib/siarin')))
    for (const each of [ids, folders]) expect(new Set(each.filter(Boolean)).size).toBe(programs.length)
  })

  it.each(Object.entries(services))(
    '%s is looked after, keeps its data, and comes from no private registry',
    (_, service) => {
      expect(service.healthcheck?.test[0]).toBe('CMD')
      expect(service.restart).toBe('always')
      expect(service.volumes).toHaveLength(1)
      for (const volume of service.volumes ?? [])
        expect(volume.split(':')[0] ?? '').toSatisfy((name: string) => name in compose.volumes)
      expect(service.image.split('/')[0]).not.toMatch(/[.:].*\//)
      expect(service.image).toMatch(/^([a-z]+\/)?[a-z]+(:[\w.-]+)?$/)
    },
  )

  it('has no secret in it, and does not start while one is missing', () => {
    const all = Object.values(services).flatMap(({ environment }) => Object.entries(environment))
    for (const [name, value] of all) if (SECRET.test(name)) expect(value, name).toMatch(/^\$\{\w+:(\?|-\})/)
    expect(read('compose.yaml')).not.toMatch(/:\/\/[^$/@\s]*:[^$/@\s]+@/)
    expect(compose.configs['redis']?.content).toMatch(/^requirepass \$\{REDIS_PASSWORD:\?/)
    for (const [, { environment }] of programs)
      for (const name of ['APP_SECRET', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'S3_SECRET_ACCESS_KEY'])
        expect(() => filled(environment, { ...SAMPLES, [name]: '' }), name).toThrow(name)
  })

  it('[SEC-14] gives the programs a key of their own, and nothing that rules the store', () => {
    const { environment, configs, image } = services['s3'] as Service
    expect(image).not.toContain('minio')
    const rules = Object.entries(environment).filter(([name]) => /RPC|ROOT|ADMIN/.test(name))
    expect(rules).not.toEqual([])
    for (const [, value] of rules)
      for (const [name, { environment: own }] of programs) expect(Object.values(own), name).not.toContain(value)
    for (const [, { environment: own }] of programs) {
      expect(own['S3_ACCESS_KEY_ID']).toBe(environment['GARAGE_DEFAULT_ACCESS_KEY'])
      expect(own['S3_SECRET_ACCESS_KEY']).toBe(environment['GARAGE_DEFAULT_SECRET_KEY'])
      expect(own['S3_BUCKET']).toBe(environment['GARAGE_DEFAULT_BUCKET'])
    }
    const settings = compose.configs[configs?.[0]?.source ?? '']?.content ?? ''
    const endpoint = new URL(programs[0]?.[1].environment['S3_ENDPOINT'] ?? '')
    expect(settings).toContain(`api_bind_addr = "[::]:${endpoint.port}"`)
    expect(settings).toContain(`s3_region = "${programs[0]?.[1].environment['S3_REGION']}"`)
    const folder = services['s3']?.volumes?.[0]?.split(':')[1]
    for (const name of ['metadata_dir', 'data_dir']) expect(settings).toContain(`${name} = "${folder}/`)
    expect(settings).not.toMatch(/secret|token/)
  })

  it('has an example that names all that it asks for, without any secret', () => {
    const example = assignments(read('compose.env.example'))
    const asked = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
    expect(Object.keys(example)).toEqual(expect.arrayContaining([...new Set(asked)]))
    for (const [name, value] of Object.entries(example)) if (/SECRET|PASSWORD|TOKEN/.test(name)) expect(value).toBe('')
  })
})

describe('[MANY-01] the image', () => {
  const dockerfile = read('Dockerfile')

  it('brings the Node and the tools that the program needs', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const [major] = dependencies.node.split('.')
    expect(dockerfile).toMatch(new RegExp(`^FROM node:${major}-\\w+-slim$`, 'm'))
    const [, packages = ''] = /apt-get install -y --no-install-recommends ([^\\\n]*)/.exec(dockerfile) ?? []
    // setpriv is of util-linux; pg_dump copies the database before a migration.
    expect(packages.trim().split(/\s+/)).toEqual(expect.arrayContaining(['ffmpeg', 'util-linux', 'postgresql-client']))
    const [, debian = ''] = /^FROM node:\d+-(\w+)-slim$/m.exec(dockerfile) ?? []
    expect(services['postgres']?.image.endsWith(`-${debian}`)).toBe(true)
  })

  it('runs as nobody special, and takes nothing along that is of the developer', () => {
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toContain('CMD ["node", "scripts/start.mjs"]')
    const environment = assignments(dockerfile.replaceAll(/^ENV /gm, ''))
    expect(unknownIn(environment)).toEqual([])
    for (const [, { volumes }] of programs) expect(volumes?.[0]).toContain(`:${environment['DATA_DIR']}`)
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', 'deploy/.env', 'data', '**/node_modules']))
  })
})

describe('[MANY-01] the units of systemd', () => {
  const [, documented = ''] = /```ini\n([\s\S]*?)```/.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const settingsOf = (unit: string): string[] => unit.split('\n').filter((line) => /^\w+=/.test(line))
  const environmentOf = (unit: string): Env => {
    const words = settingsOf(unit).flatMap((line) => /^Environment=(.*)$/.exec(line)?.[1]?.split(' ') ?? [])
    return assignments(words.join('\n'))
  }
  const shared = assignments(read('systemd/siarin.env.example'))
  const needed = Object.fromEntries(
    Object.keys(shared).flatMap((name) => (SAMPLES[name] ? [[name, SAMPLES[name]]] : [])),
  )

  it.each(['web', 'worker'])('siarin-%s has all that the unit for one machine has', (role) => {
    const unit = read(`systemd/siarin-${role}.service`)
    const own = /^(Environment|StateDirectory)=/
    const missing = settingsOf(documented).filter((line) => !own.test(line) && !settingsOf(unit).includes(line))
    expect(missing).toEqual([])
    expect(unit).toContain('EnvironmentFile=/etc/siarin/siarin.env')
    const { DATA_DIR } = environmentOf(unit)
    expect(settingsOf(unit)).toContain(`StateDirectory=${DATA_DIR?.replace('/var/lib/', '')}`)
  })

  it.each(['web', 'worker'])('siarin-%s and the file of settings make a program of that role', (role) => {
    const own = environmentOf(read(`systemd/siarin-${role}.service`))
    expect(own['ROLE']).toBe(role)
    expect(unknownIn({ ...own, ...shared })).toEqual([])
    // systemd lets the file win.
    expect(Object.keys(own).filter((name) => name in shared)).toEqual([])
    expect(faultsOf({ ...own, ...needed })).toEqual([])
    expect(readConfig({ ...own, ...needed }).s3).not.toBeNull()
  })

  it('have different ports and folders, so that one machine may run both', () => {
    const [web, worker] = ['web', 'worker'].map((role) => environmentOf(read(`systemd/siarin-${role}.service`)))
    for (const name of ['PORT', 'DATA_DIR']) expect(web?.[name]).not.toBe(worker?.[name])
  })

  it('refuse to start with the file as it is, and say all that is to be filled in', () => {
    const own = environmentOf(read('systemd/siarin-worker.service'))
    const faults = faultsOf({ ...shared, ...own })
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'APP_SECRET', 'S3_BUCKET'])
      expect(
        faults.some((fault) => fault.startsWith(name)),
        name,
      ).toBe(true)
    for (const [name, value] of Object.entries(shared))
      if (name !== 'PUBLIC_URL') expect([name, value]).toEqual([name, ''])
  })
})
