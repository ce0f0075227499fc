import { readdir, readFile } from 'node:fs/promises'

/** Every process that has an argument which begins so. Empty where there is no /proc. */
export async function processesWithArgument(prefix: string): Promise<{ pid: number; argument: string }[]> {
  const found: { pid: number; argument: string }[] = []
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue
    const args = (await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')).split('\0')
    const argument = args.slice(1).find((arg) => arg.startsWith(prefix))
    if (argument) found.push({ pid: Number(entry), argument })
  }
  return found
}
