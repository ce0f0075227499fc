import Fastify from 'fastify'

/** What Fastify itself costs: it answers what its parent sends, and says where. A program of its own, as ours is. */
process.once('message', async (answer: object) => {
  const app = Fastify()
  app.get('/', async () => answer)
  process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }))
})
process.once('disconnect', () => process.exit(0))
