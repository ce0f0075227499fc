// Loaded into the program by a test (`--import`), never in production: on a signal its event loop stands still.
const standFor = (ms: number) => (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

process.on('SIGUSR2', standFor(Number.POSITIVE_INFINITY))
process.on('SIGPWR', standFor(10_000))
