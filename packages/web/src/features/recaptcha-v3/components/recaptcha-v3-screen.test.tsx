import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp } from '../../../testing/app.tsx'
import { holdClock, message, runFor, untilSaid } from '../../../testing/screen.ts'

it('[V3-01] a message of the screen for API keys vanishes after 3000 ms', async () => {
  await openApp('/documentation/captcha/v3', { as: 'guest' })
  await untilSaid('API Key diperlukan.', 'alert')
  holdClock()
  const files = [new File(['x'], 'catatan.txt', { type: 'text/plain' })]
  fireEvent.change(screen.getByLabelText('File video'), { target: { files } })
  await untilSaid('Pilih file video.', 'alert')
  await runFor(2900)
  expect(message().textContent).toBe('Pilih file video.')
  await runFor(200)
  expect(message().textContent).toBe('')
})
