/** One program of several, as it last told: rewritten every few seconds. */
export interface MachineFigureTable {
  /** The worker's id; a web program of the same data folder has the same one. */
  id: string
  role: string
  /** Which start of which machine: programs in containers of one machine have the same. */
  host: string
  version: string
  /** In percent of all cores. */
  cpu: number
  memory_total: number
  memory_used: number
  disk_size: number
  disk_used: number
  disk_available: number
  /** On air here, and how many more it would take; 0 for a web program. */
  streams: number
  room: number
  /** By the database's clock. */
  seen_at: number
}
