import { expect, it } from 'vitest'
import { createMailbox } from './mailbox.ts'

it('a mailbox that is closed hands on what is left in it and whatever still comes', async () => {
  const box = createMailbox<string>()
  for (const letter of ['a', 'b', 'c']) box.post(letter)
  expect(await box.take()).toBe('a')
  const dropped: string[] = []
  box.close((letter) => dropped.push(letter))
  box.post('d')
  expect(dropped).toEqual(['b', 'c', 'd'])
})
