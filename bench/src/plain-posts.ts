/**
 * The yardstick of webhooks, a program of its own as Siarin is: undici, as `fetch` has it, in a plain loop. It says for how many seconds it
 * was at it.
 */
const [, , url = '', count = '0', atOnce = '1', body = ''] = process.argv

let left = Number(count)
const begun = performance.now()
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    while (left-- > 0) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body })
      await answer.arrayBuffer()
    }
  }),
)
console.log((performance.now() - begun) / 1000)
