import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installedMatchesLock } from './packages.mjs'
import { hashServerSources } from './server-build.mjs'
import { hashInstall, stampMatches, writeStamp } from './stamps.mjs'
import { hashWebSources } from './web-build.mjs'

let root = ''

function write(file: string, content: string | object) {
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'siarin-stamps-'))
  write('package.json', { name: 'root', workspaces: ['packages/*', 'e2e'], scripts: { start: 'a' } })
  write('packages/web/package.json', { name: 'web', dependencies: { react: '19.0.0' } })
  write('packages/web/src/main.tsx', 'main')
  write('packages/contracts/src/auth.ts', 'auth')
  write('packages/server/src/main.ts', 'main')
  write('packages/media/src/secret.ts', 'secret')
  write('scripts/bundle-server.mjs', 'bundle')
  write('package-lock.json', { packages: { 'node_modules/react': { version: '19.0.0' } } })
})

afterEach(() => rmSync(root, { recursive: true }))

describe('the stamp of the installed packages', () => {
  it('matches only the hash that was written', () => {
    const stamp = join(root, 'stamp')
    expect(stampMatches(stamp, 'a')).toBe(false)
    writeStamp(stamp, 'a')
    expect(stampMatches(stamp, 'a')).toBe(true)
    expect(stampMatches(stamp, 'b')).toBe(false)
  })

  it('changes with the lock file and with what any workspace asks for', () => {
    const before = hashInstall(root)
    write('packages/web/package.json', { name: 'web', dependencies: { react: '19.0.1' } })
    const asked = hashInstall(root)
    write('package-lock.json', { packages: {} })
    expect(new Set([before, asked, hashInstall(root)]).size).toBe(3)
  })

  it('stays when only an npm script changes', () => {
    const before = hashInstall(root)
    write('package.json', { name: 'root', workspaces: ['packages/*', 'e2e'], scripts: { start: 'b' } })
    expect(hashInstall(root)).toBe(before)
  })

  it('accepts what npm itself noted as installed, and nothing less', () => {
    expect(installedMatchesLock(root)).toBe(false)
    write('node_modules/.package-lock.json', { packages: { 'node_modules/react': { version: '18.0.0' } } })
    expect(installedMatchesLock(root)).toBe(false)
    write('node_modules/.package-lock.json', { packages: { 'node_modules/react': { version: '19.0.0' } } })
    expect(installedMatchesLock(root)).toBe(true)
  })
})

describe('the stamp of the web build', () => {
  it('changes with a source, its name, and the contracts', () => {
    const seen = [hashWebSources(root)]
    write('packages/web/src/main.tsx', 'other')
    seen.push(hashWebSources(root))
    renameSync(join(root, 'packages/web/src/main.tsx'), join(root, 'packages/web/src/app.tsx'))
    seen.push(hashWebSources(root))
    write('packages/contracts/src/auth.ts', 'other')
    seen.push(hashWebSources(root))
    expect(new Set(seen).size).toBe(4)
  })

  it('does not change with what the build makes or with a test', () => {
    const before = hashWebSources(root)
    write('packages/web/dist/index.html', 'built')
    write('packages/web/.cache/dist-next/index.html', 'half built')
    write('packages/web/src/main.test.tsx', 'test')
    expect(hashWebSources(root)).toBe(before)
  })
})

describe('the stamp of the server build', () => {
  it('changes with a source of each package, the packages from outside, and the way it is put together', () => {
    const seen = [hashServerSources(root)]
    for (const file of [
      'packages/server/src/main.ts',
      'packages/media/src/secret.ts',
      'packages/contracts/src/auth.ts',
      'package-lock.json',
      'scripts/bundle-server.mjs',
    ]) {
      write(file, 'other')
      seen.push(hashServerSources(root))
    }
    expect(new Set(seen).size).toBe(6)
  })

  it('does not change with what the build makes or with a test', () => {
    const before = hashServerSources(root)
    write('packages/server/dist/main.js', 'built')
    write('packages/server/src/main.test.ts', 'test')
    expect(hashServerSources(root)).toBe(before)
  })
})
