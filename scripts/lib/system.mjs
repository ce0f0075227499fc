import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './processes.mjs'
import { Fault, findCommand, isExecutable, say } from './shell.mjs'

const RTMP_MODULE = 'ngx_rtmp_module.so'
const NGINX_MODULE_FOLDERS = ['/usr/lib/nginx/modules', '/usr/lib64/nginx/modules', '/usr/share/nginx/modules']
const POSTGRES_VERSIONS = '/usr/lib/postgresql'

/** OpenStack Swift, which the tests run as their S3 store. */
const SWIFT = '/usr/lib/python3/dist-packages/swift/common/middleware/s3api'

const HEADLESS_SHELL = 'chromium-headless-shell'

const hasPostgres = () =>
  findCommand('initdb') !== null ||
  (existsSync(POSTGRES_VERSIONS) &&
    readdirSync(POSTGRES_VERSIONS).some((version) => isExecutable(join(POSTGRES_VERSIONS, version, 'bin', 'initdb'))))

const hasNginxRtmp = () =>
  findCommand('nginx') !== null && NGINX_MODULE_FOLDERS.some((folder) => existsSync(join(folder, RTMP_MODULE)))

/** A path that the user gave counts as found: the server says at boot when it is wrong. */
const hasFfmpeg = () =>
  Boolean(process.env.FFMPEG_PATH || findCommand('ffmpeg')) &&
  Boolean(process.env.FFPROBE_PATH || findCommand('ffprobe'))

const PROGRAMS = {
  ffmpeg: { found: hasFfmpeg, apt: ['ffmpeg'], brew: ['ffmpeg'] },
  nginx: { found: hasNginxRtmp, apt: ['nginx', 'libnginx-mod-rtmp'] },
  postgresql: { found: hasPostgres, apt: ['postgresql'], brew: ['postgresql'] },
  redis: { found: () => findCommand('redis-server') !== null, apt: ['redis-server'], brew: ['redis'] },
  swift: { found: () => existsSync(SWIFT), apt: ['python3-swift'] },
  'headless-shell': { found: () => findCommand(HEADLESS_SHELL) !== null, apt: [HEADLESS_SHELL] },
  chromium: {
    found: () => findCommand('chromium', 'chromium-browser', 'google-chrome') !== null,
    apt: [osId() === 'ubuntu' ? 'chromium-browser' : 'chromium'],
  },
}

/**
 * One shell, so that its trap takes the policy file away again whatever happens. Debian starts a service as soon as it
 * is installed; the tests start their own, on ports of their own, and nobody asked for a running nginx.
 */
const APT_SCRIPT = `
set -e
export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' INT TERM HUP
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
# One broken source among several must not stop us; when it matters, the install says so.
apt-get update -qq -o DPkg::Lock::Timeout=120 || true
apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
`

/** Installs those of the named programs that the machine does not have. */
export async function ensureSystem(names) {
  const missing = names.filter((name) => !PROGRAMS[name].found())
  if (missing.length === 0) return
  const what = missing.join(', ')

  const installer = await findInstaller(missing)
  if (!installer) throw new Fault(`Siarin needs ${what}. Please install: ${byHand(missing)}`)
  say(`Installing ${what} with ${installer.name} …`)
  const [command, ...args] = installer.command
  const { code, output } = await capture(command, args)
  const still = missing.filter((name) => !PROGRAMS[name].found())
  if (code === 0 && still.length === 0) return
  process.stderr.write(output)
  throw new Fault(
    `Installing ${(still.length > 0 ? still : missing).join(', ')} failed. Please try: ${byHand(missing)}`,
  )
}

/**
 * Debian's headless shell: a page costs it a third of the CPU time that the whole Chromium takes. Where the shell is not to be had,
 * the whole one does.
 */
export async function ensureBrowser() {
  if (osId() === 'debian') await ensureSystem(['headless-shell']).catch((error) => say(error.message))
  if (!PROGRAMS['headless-shell'].found()) await ensureSystem(['chromium'])
}

async function findInstaller(missing) {
  if (findCommand('apt-get')) {
    const script = ['sh', '-c', APT_SCRIPT, 'sh', ...aptPackages(missing)]
    if (process.getuid?.() === 0) return { name: 'apt-get', command: script }
    const maySudo = findCommand('sudo') && (await capture('sudo', ['-n', 'true'])).code === 0
    return maySudo ? { name: 'sudo apt-get', command: ['sudo', '-n', ...script] } : null
  }
  const formulas = missing.map((name) => PROGRAMS[name].brew)
  if (findCommand('brew') && formulas.every(Boolean))
    return { name: 'brew', command: ['brew', 'install', ...formulas.flat()] }
  return null
}

const aptPackages = (names) => names.flatMap((name) => PROGRAMS[name].apt)

const byHand = (names) =>
  findCommand('apt-get') ? `sudo apt-get install ${aptPackages(names).join(' ')}` : aptPackages(names).join(', ')

function osId() {
  try {
    return /^ID=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
