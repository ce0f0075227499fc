import { Gauge, type Registry } from 'prom-client'

/** What each program of several has told last. */
export interface MachineMetrics {
  readonly id: string
  readonly role: string
  readonly version: string
  readonly cpu: number
  readonly memory_total: number
  readonly memory_used: number
  readonly disk_size: number
  readonly disk_used: number
  readonly streams: number
  readonly room: number
  readonly silentMs: number
  readonly isGone: boolean
}

const FIGURES: readonly (readonly [name: string, help: string, of: (machine: MachineMetrics) => number])[] = [
  ['cpu_percent', 'Share of all cores in use', ({ cpu }) => cpu],
  ['memory_total_bytes', 'Memory of the machine', ({ memory_total }) => memory_total],
  ['memory_used_bytes', 'Memory in use', ({ memory_used }) => memory_used],
  ['disk_size_bytes', 'Size of the disk of DATA_DIR', ({ disk_size }) => disk_size],
  ['disk_used_bytes', 'What of it is used', ({ disk_used }) => disk_used],
  ['streams', 'Streams that it keeps on air', ({ streams }) => streams],
  ['room', 'Streams that it would take besides', ({ room }) => room],
]

/**
 * Figures of every machine, whichever is asked. One that fell silent keeps only `up` 0 and since when: its last figures are nobody's any
 * more. The answer fills them anew.
 */
export function machineGauges(registers: Registry[], machines: () => Promise<MachineMetrics[]>): () => Promise<void> {
  const gaugeOf = (name: string, help: string, ...more: string[]) =>
    new Gauge({ name: `siarin_machine_${name}`, help, labelNames: ['machine', 'role', ...more], registers })
  const up = gaugeOf('up', '1: heard of lately; 0: it fell silent within the last day', 'version')
  const silent = gaugeOf('silent_seconds', 'Since it was last heard of')
  const figures = FIGURES.map(([name, help, of]) => ({ gauge: gaugeOf(name, help), of }))
  return async () => {
    const all = await machines()
    for (const gauge of [up, silent, ...figures.map((figure) => figure.gauge)]) gauge.reset()
    for (const machine of all) {
      const labels = { machine: machine.id, role: machine.role }
      up.set({ ...labels, version: machine.version }, machine.isGone ? 0 : 1)
      silent.set(labels, machine.silentMs / 1000)
      if (!machine.isGone) for (const { gauge, of } of figures) gauge.set(labels, of(machine))
    }
  }
}
