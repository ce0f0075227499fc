// The code of the screens that these tests lead to: a held clock does not wait for it.
import '../../profile/components/profile-screen.tsx'
import './login-screen.tsx'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type App, openApp } from '../../../testing/app.tsx'
import { TOKEN, USER } from '../../../testing/default-answers.ts'
import { subscribedHere } from '../../../testing/own-push.ts'
import { button, field, findButton, holdClock, runFor } from '../../../testing/screen.ts'

async function expectLoggedOut({ path }: App): Promise<void> {
  await waitFor(() => expect(path()).toBe('/login'))
  expect(localStorage.getItem('token')).toBeNull()
  expect(localStorage.getItem('user')).toBeNull()
}

/** With the clock held: a toast comes with a tick of it, and slides out for a moment before it is gone. */
async function expectToastFor1500Ms(text: string): Promise<void> {
  const toast = (): Element | null | undefined => screen.queryByText(text)?.closest('[data-sonner-toast]')
  await waitFor(() => expect(toast()).toBeTruthy(), { interval: 5 })
  await runFor(1450)
  expect(toast()?.getAttribute('data-removed')).toBe('false')
  await runFor(50)
  expect(toast()?.getAttribute('data-removed')).toBe('true')
  await runFor(1000)
  expect(toast()).toBeUndefined()
}

describe('a login', () => {
  it('[AUTH-05] leads to the profile, and is told for 1.5 s', async () => {
    const app = await openApp('/login', {
      as: 'guest',
      server: ({ on }) =>
        on('POST /auth/login', { json: { success: true, message: 'Welcome.', token: TOKEN, user: USER } }),
    })
    await app.fill(field('Email'), USER.email)
    await app.fill(field('Password'), 'rahasia')
    await waitFor(() => expect(button('Login').disabled).toBe(false))
    holdClock()
    await app.user.click(button('Login'))
    await expectToastFor1500Ms('Login Successful!')
    expect(app.path()).toBe('/profile')
    expect(localStorage.getItem('token')).toBe(TOKEN)
  })
})

describe('a logout', () => {
  it('[AUTH-09] ends the session here, and is told for 1.5 s', async () => {
    const app = await openApp('/profile')
    await findButton('Logout')
    holdClock()
    await app.user.click(button('Logout'))
    await expectToastFor1500Ms('Logged Out Successfully')
    await expectLoggedOut(app)
    expect(app.server.calls.find(({ route }) => route === 'POST /auth/logout')?.bearer).toBe(`Bearer ${TOKEN}`)
  })

  it('[ALERT-04] [AUTH-09] takes the pushes of this browser along, here and at the server, whatever that says', async () => {
    const { endpoint, unsubscribe } = subscribedHere()
    const app = await openApp('/profile')
    await app.user.click(await findButton('Logout'))
    await expectLoggedOut(app)
    expect(unsubscribe).toHaveBeenCalledTimes(1)
    expect(localStorage.getItem('push-channel')).toBeNull()
    const [told, left] = app.server.calls.filter(({ route }) => /push\/remove|logout/.test(route))
    expect(told).toMatchObject({ route: 'POST /fitur/alert/channel/push/remove', body: { endpoint } })
    expect(left?.route).toBe('POST /auth/logout')
  })

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
