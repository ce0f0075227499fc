/** Does something again and again. The first time comes at random, so that what began together is not done together. The answer ends it. */
export function everySpread(everyMs: number, work: () => void, random = Math.random): () => void {
  let timer = setTimeout(() => {
    timer = setInterval(work, everyMs)
    work()
  }, random() * everyMs)
  return () => clearTimeout(timer)
}
