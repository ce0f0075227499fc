import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type DnsServer, startDnsServer } from '@siarin/testkit/dns-server'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, type TestDatabases } from '../support/databases.ts'
import { call } from '../support/program.ts'
import { createChance } from './chance.ts'
import { type HostileRequest, hostileRequest, type Operation, operationsOf } from './hostile-requests.ts'
import { faultOf } from './judge-answer.ts'
import { addPerson, belongingsOf, identityOf, knownOf, type Person } from './people.ts'
import { createSender } from './send-hostile.ts'

/** `npm run test:hostile` is the long form. */
const isLong = process.env['SIARIN_HOSTILE'] === 'long'
/** On each of the two databases. */
const REQUESTS = isLong ? 12_000 : 330
const PEOPLE = isLong ? 3 : 1
const AT_ONCE = 12
/** Videos are prepared one at a time. */
const SETUP_MS = 600_000
const FAULTS_SHOWN = 20
const SHOWN_CHARS = 600

const { SIARIN_SEED = '' } = process.env
/** The short form is the same each time: only the long form looks for new finds. */
const anySeed = isLong ? Math.floor(Math.random() * 2 ** 32) : 14
const seed = SIARIN_SEED === '' ? anySeed : Number(SIARIN_SEED)

const shown = ({ method, path, headers, body }: HostileRequest): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${body?.toString('latin1') ?? ''}`.slice(0, SHOWN_CHARS)

let folder: TempDir
let clip: string
let dns: DnsServer

beforeAll(async () => {
  folder = await tempDir('hostile')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 2 })
  // Knows no name: nothing here leaves the machine.
  dns = await startDnsServer({})
})
afterAll(async () => {
  await dns.stop()
  await folder.remove()
})

describe.each(isLong || isWholeRun ? BOTH_DATABASES : BOTH_DATABASES.slice(1))(
  '[SAFE-01] the whole API under hostile requests on $name',
  { timeout: 1_800_000 },
  ({ name, open }) => {
    let siarin: Siarin
    let databases: TestDatabases
    let victim: Person
    let people: Person[]

    beforeAll(async () => {
      databases = await open()
      siarin = await startSiarin({
        env: { ...(await databases.settings()), LOG_LEVEL: 'warn', DNS_SERVERS: dns.address },
      })
      const add = () => addPerson(siarin.url, clip)
      ;[victim, ...people] = (await Promise.all(Array.from({ length: 1 + PEOPLE }, add))) as [Person, ...Person[]]
      // As it runs for others; the broadcasts above went to this machine.
      if (isLong) await siarin.restart({ ALLOW_PRIVATE_NETWORK: 'false' })
    }, SETUP_MS)
    afterAll(async () => {
      await siarin.dispose()
      await databases.stop()
    })

    it(`answers each in our words and in time, and leaves others alone (${REQUESTS} requests)`, async () => {
      const { pid } = siarin
      const operations = operationsOf((await call(siarin.url, 'GET', '/openapi.json')).body)
      const before = await belongingsOf(siarin.url, victim)
      const { faults, statuses, slowestMs } = await attack(operations)
      const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`)
      process.stdout.write(
        `seed ${seed}, ${name}: ${REQUESTS} requests on ${operations.length} operations, slowest ${slowestMs} ms; ${counts.join(', ')}\n`,
      )
      expect(faults).toEqual([])
      expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20)
      expect(siarin.pid).toBe(pid)
      await waitFor('it to be ready', async () => (await call(siarin.url, 'GET', '/readyz')).status === 200)
      expect(await belongingsOf(siarin.url, victim)).toEqual(before)
    })

    async function attack(operations: readonly Operation[]) {
      const chance = createChance(seed)
      const sender = createSender(siarin.url)
      const faults: string[] = []
      const statuses = new Map<number, number>()
      let slowestMs = 0
      let made = 0

      /** As a guest, as somebody with what is the own, and as somebody with what is another's. */
      function next() {
        const index = made++
        const operation = operations[index % operations.length] as Operation
        const person = chance.pick(people)
        const role = Math.floor(index / operations.length) % 3
        const target = role === 1 ? person : victim
        const isAccountCall = operation.path.startsWith('/auth/')
        const identity =
          role === 0 ? { credentials: {}, ...knownOf(null, target) } : identityOf(chance, person, target, isAccountCall)
        return { request: hostileRequest(chance, operation, identity), person: role === 0 ? null : person }
      }

      async function work(): Promise<void> {
        while (made < REQUESTS && faults.length < FAULTS_SHOWN) {
          const { request, person } = next()
          try {
            const answer = await sender.send(request)
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
            slowestMs = Math.max(slowestMs, Math.round(answer.ms))
            const fault = faultOf(request, answer)
            if (fault)
              faults.push(`${fault}: ${shown(request)} -> ${answer.status} ${answer.text.slice(0, SHOWN_CHARS)}`)
            if (person && /session_ended|api_key_wrong/.test(answer.text)) await person.logInIfEnded(request.headers)
          } catch (error) {
            faults.push(`${error}: ${shown(request)}`)
          }
        }
      }

      await Promise.all(Array.from({ length: AT_ONCE }, work))
      sender.close()
      return { faults, statuses, slowestMs }
    }
  },
)
