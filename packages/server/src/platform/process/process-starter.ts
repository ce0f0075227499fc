import { adoptDetached, startDetached } from './detached.ts'
import type { Warden } from './warden/warden.ts'

/** Where the ffmpegs of broadcasts come from. */
export type ProcessStarter = Pick<Warden, 'start' | 'adopt'>

/** Without a warden there is one machine: its ffmpegs outlive the program, and nobody else starts them. */
export const createProcessStarter = ({ warden }: { warden: Warden | null }): ProcessStarter =>
  warden ?? { start: startDetached, adopt: ({ pid, birth }) => adoptDetached(pid, birth) }
