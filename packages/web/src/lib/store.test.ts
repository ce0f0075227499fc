import { expect, it } from 'vitest'
import { createStore } from './store.ts'

it('a store tells everybody who listens of each change, once it holds, and nobody who has stopped', () => {
  const store = createStore('first')
  const heard: string[] = []
  const stop = store.listen(() => heard.push(`a ${store.get()}`))
  store.listen(() => heard.push(`b ${store.get()}`))
  store.set('second')
  stop()
  store.set('third')
  expect(heard).toEqual(['a second', 'b second', 'b third'])
  expect(store.get()).toBe('third')
})
