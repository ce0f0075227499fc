import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@siarin/testkit/free-port'
import { findProgram, startService, waitUntilUp } from '@siarin/testkit/service-process'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, signIn, startProgram, type TestProgram } from './support/program.ts'

const DOCS = join(import.meta.dirname, '../../../docs/operations.md')

/** What the document tells operators to write, on a port of its own and without TLS. */
async function documentedConf(folder: string, port: number, target: string): Promise<string> {
  const [, block = ''] = /```nginx\n([\s\S]*?)```/.exec(await readFile(DOCS, 'utf8')) ?? []
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const http = block
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_certificate.*$/gm, '')
    .replace('http://127.0.0.1:3000', target)
    .replaceAll('/var/log/nginx', folder)
  return `daemon off; master_process off; pid ${folder}/pid; events {} http { ${temp.join(' ')}\n${http} }`
}

describe('behind nginx as the operator is told to set it up', () => {
  let program: TestProgram
  let proxy: { url: string; log: () => Promise<string>; stop: () => Promise<void> }

  beforeAll(async () => {
    program = await startProgram()
    const folder = await tempDir('proxy')
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const conf = join(folder.path, 'nginx.conf')
    await writeFile(conf, await documentedConf(folder.path, port, program.url))
    const args = ['-e', 'stderr', '-p', folder.path, '-c', conf]
    const service = await startService({ command: findProgram('nginx'), args, cwd: folder.path, deathSignal: 'KILL' })
    await waitUntilUp('nginx', service, async () => (await fetch(`${url}/healthz`)).ok)
    proxy = {
      url,
      log: () => readFile(join(folder.path, 'siarin.log'), 'utf8'),
      async stop() {
        await service.stop('SIGTERM')
        await folder.remove()
      },
    }
  })
  afterAll(async () => {
    await proxy.stop()
    await program.close()
  })

  it('the log of the proxy has every request, and no key', async () => {
    const { user } = await signIn(proxy.url)
    expect((await call(proxy.url, 'GET', `/fitur/video?apiKey=${user.apiKey}`)).status).toBe(200)
    const log = await waitFor('the line', async () => {
      const text = await proxy.log()
      return text.includes('/fitur/video ') && text
    })
    expect(log).toContain('"POST /auth/login HTTP/1.1" 200')
    expect(log).not.toContain(user.apiKey)
  })

  it('a visitor is who the proxy says, whatever the visitor says', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.99' }
    await call(proxy.url, 'GET', '/healthz?whoami', { headers })
    const line = await waitFor('the line', async () =>
      program
        .logged()
        .split('\n')
        .find((each) => each.includes('/healthz?…')),
    )
    expect(JSON.parse(line)).toMatchObject({ ip: '127.0.0.1' })
  })

  it('[SEC-14] the server is called what the proxy says, whatever the visitor says, and no cache keeps it', async () => {
    for (const path of ['/settings', '/robots.txt', '/sitemap.xml', '/login']) {
      const headers = { 'x-forwarded-host': 'evil.example', accept: '*/*' }
      const answer = await fetch(`${proxy.url}${path}`, { headers })
      expect([path, answer.status]).toEqual([path, 200])
      expect(await answer.text(), path).not.toContain('evil.example')
      if (path !== '/login') expect([path, answer.headers.get('cache-control')]).toEqual([path, 'no-store'])
    }
    const { body } = await call(program.url, 'GET', '/settings', { headers: { 'x-forwarded-host': 'evil.example' } })
    expect(body.server).toBe(program.url)
  })
})
