import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type App, openApp } from '../../../testing/app.tsx'
import { findButton } from '../../../testing/screen.ts'

async function expectLoggedOut({ path }: App): Promise<void> {
  await waitFor(() => expect(path()).toBe('/login'))
  expect(localStorage.getItem('token')).toBeNull()
  expect(localStorage.getItem('user')).toBeNull()
}

describe('a logout', () => {
  it.each([
    ['is unreachable', 'unreachable'],
    ['is broken', { status: 500, json: { message: 'Boom' } }],
  ] as const)('[AUTH-09] clears this browser and warns where the server %s', async (_how, answer) => {
    const app = await openApp('/profile', { server: ({ on }) => on('POST /auth/logout', answer) })
    expect(localStorage.getItem('token')).not.toBeNull()
    await app.user.click(await findButton('Logout'))
    await screen.findByText('Logout Issue')
    screen.getByText('You have been logged out locally, but there was an issue with the server.')
    await expectLoggedOut(app)
  })
})

describe('a session', () => {
  it.each(['Token expired', 'Oops: Token invalidated!', 'Session expired. Please login again.'])(
    '[AUTH-10] is ended, once, by an answer 401: %s',
    async (text) => {
      const ended = { status: 401, json: { success: false, message: text } }
      const app = await openApp('/profile', {
        // All that the screen asks at once.
        server: ({ on }) => {
          for (const path of ['profile', 'plan', 'sessions']) on(`GET /auth/${path}`, ended)
        },
      })
      await screen.findByText('Session Ended')
      screen.getByText(text)
      await expectLoggedOut(app)
      expect(screen.getAllByText('Session Ended')).toHaveLength(1)
    },
  )
})
