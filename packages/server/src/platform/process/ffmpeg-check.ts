import { runBounded } from './run-bounded.ts'

const CHECK = { timeoutMs: 10_000, maxBytes: 100_000 }

/** The first line of `-version`; throws when the program cannot be run. */
export async function toolVersion(path: string): Promise<string> {
  const { code, stdout } = await runBounded(path, ['-version'], CHECK)
  if (code !== 0) throw new Error(`${path} -version ended with ${code}`)
  return stdout.split('\n')[0] ?? ''
}
