// Loaded into the program by a test (`--import`), never in production: on the signal its event loop stands still for ever.
process.on('SIGUSR2', () => {
  for (;;);
})
