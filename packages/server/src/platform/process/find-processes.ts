import { readdir, readFile } from 'node:fs/promises'

interface FoundProcess {
  readonly pid: number
  readonly argument: string
  /** All that it was given, its own name first. */
  readonly args: readonly string[]
}

/** Every process that has an argument which begins so. Empty where there is no /proc. */
export async function processesWithArgument(prefix: string): Promise<FoundProcess[]> {
  const found: FoundProcess[] = []
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue
    const args = (await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')).split('\0')
    const argument = args.slice(1).find((arg) => arg.startsWith(prefix))
    if (argument) found.push({ pid: Number(entry), argument, args })
  }
  return found
}
