import { capture } from './processes.mjs'
import { projectEnv, ROOT, say } from './shell.mjs'

const SERIOUS = ['high', 'critical']

/** What `npm audit --json` tells of packages that the product runs with; null: the package source tells nothing of weaknesses. */
export function readAudit(output) {
  try {
    const { vulnerabilities } = JSON.parse(output.slice(output.indexOf('{')))
    if (!vulnerabilities) return null
    return Object.values(vulnerabilities).flatMap(({ name, severity }) =>
      SERIOUS.includes(severity) ? [`${name} (${severity})`] : [],
    )
  } catch {
    return null
  }
}

/**
 * Known weaknesses of packages. Not part of `npm test`: what became known today says nothing about a change, and a source that does
 * not answer must hold up nobody.
 */
export async function auditPackages() {
  const { output } = await capture('npm', ['audit', '--omit=dev', '--json'], { cwd: ROOT, env: projectEnv() })
  const weak = readAudit(output)
  if (weak === null) say('audit      skipped: the package source tells of no known weaknesses')
  else say(`audit      ${weak.length === 0 ? 'ok' : `failed: ${weak.join(', ')}`}`)
  return weak?.length ? 1 : 0
}
