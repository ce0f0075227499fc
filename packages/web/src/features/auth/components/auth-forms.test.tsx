import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type App, openApp } from '../../../testing/app.tsx'
import { answerButton, button, field, findButton, holdClock, logged, runFor } from '../../../testing/screen.ts'

const GOOD = { username: 'abc', email: 'abc@gmail.com', password: '123456' }
const LOGIN = { path: '/login', route: 'POST /auth/login', label: 'Login', busy: 'Logging in...' }
const REGISTER = { path: '/register', route: 'POST /auth/register', label: 'Register', busy: 'Registering...' }

const FIELDS = { username: 'Username', email: 'Email', password: 'Password' } as const

async function fill(app: App, values: Partial<typeof GOOD>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await app.fill(field(FIELDS[name as keyof typeof FIELDS]), value)
}

async function openForm({ path, label }: typeof LOGIN, values: Partial<typeof GOOD> = {}): Promise<App> {
  const app = await openApp(path, { as: 'guest' })
  await findButton(label)
  await fill(app, values)
  return app
}

const { username: _, ...CREDENTIALS } = GOOD

/** The form hears of what is typed a moment later. */
const untilDisabled = (label: string, disabled: boolean): Promise<void> =>
  waitFor(() => expect(button(label).disabled).toBe(disabled))

async function expectToggle(app: App): Promise<void> {
  await fill(app, { password: 'rahasia' })
  expect(field('Password').type).toBe('password')
  await app.user.click(button('Tampilkan password'))
  expect(field('Password').type).toBe('text')
  await app.user.click(button('Sembunyikan password'))
  expect(field('Password').type).toBe('password')
  expect(field('Password').value).toBe('rahasia')
}

describe('Register', () => {
  it('[AUTH-01] has its three fields, the toggle, the hint and the link', async () => {
    const app = await openForm(REGISTER)
    for (const label of ['Username', 'Email', 'Password']) expect(field(label).required).toBe(true)
    expect(field('Email').type).toBe('email')
    screen.getByText('Password must be at least 6 characters')
    await expectToggle(app)
    const link = screen.getByRole('link', { name: 'Login' })
    expect(link.parentElement?.textContent).toBe('Sudah punya akun? Login')
    await app.user.click(link)
    await waitFor(() => expect(app.path()).toBe('/login'))
  })

  it('[AUTH-03] is valid only with three, @gmail.com and six', async () => {
    const app = await openForm(REGISTER, GOOD)
    await untilDisabled('Register', false)
    for (const bad of [
      { username: 'ab' },
      { email: 'abc@example.com' },
      { email: '@gmail.com' },
      { password: '12345' },
    ]) {
      await fill(app, bad)
      await untilDisabled('Register', true)
      await fill(app, GOOD)
      await untilDisabled('Register', false)
    }
  })
})

describe('Login', () => {
  it('[AUTH-02] has its two fields, the toggle and the link', async () => {
    const app = await openForm(LOGIN)
    expect(screen.queryByLabelText('Username')).toBeNull()
    expect(field('Email').type).toBe('email')
    await expectToggle(app)
    const link = screen.getByRole('link', { name: 'Register' })
    expect(link.parentElement?.textContent).toBe('Belum punya akun? Register')
    await app.user.click(link)
    await waitFor(() => expect(app.path()).toBe('/register'))
  })

  it('[AUTH-03] is valid only with @gmail.com and six', async () => {
    const app = await openForm(LOGIN, { email: 'ABC@Gmail.com', password: '123456' })
    await untilDisabled('Login', false)
    for (const bad of [{ email: 'abc@example.com' }, { password: '12345' }]) {
      await fill(app, bad)
      await untilDisabled('Login', true)
      await fill(app, CREDENTIALS)
      await untilDisabled('Login', false)
    }
  })
})

describe('a form', () => {
  it.each([
    [LOGIN, CREDENTIALS],
    [REGISTER, GOOD],
  ])('[AUTH-04] [AUTH-13] is disabled, says so and ripples while it works: $label', async (form, values) => {
    const app = await openForm(form)
    expect(button(form.label).disabled).toBe(true)
    await fill(app, values)
    await untilDisabled(form.label, false)
    app.server.on(form.route, () => new Promise(() => {}))
    // A ripple goes by the clock.
    holdClock()
    await app.user.click(button(form.label))
    const working = await findButton(form.busy)
    expect(working.disabled).toBe(true)
    within(working).getByTestId('spinner')
    within(working).getByTestId('ripple')
    expect(app.server.asked(form.route)).toBe(1)
  })

  it.each([
    [LOGIN, CREDENTIALS, 'Login Failed', 'Unable to login. Please try again.', { status: 502, text: 'Bad Gateway' }],
    [LOGIN, CREDENTIALS, 'Login Failed', 'Unable to login. Please try again.', 'unreachable'],
    [REGISTER, GOOD, 'Registration Failed', 'Unable to register. Please try again.', { status: 500, json: {} }],
  ] as const)(
    '[AUTH-07] that gets no message from the server shows the default: $label, $4',
    async (form, values, title, text, answer) => {
      const app = await openForm(form, values)
      app.server.on(form.route, answer)
      await untilDisabled(form.label, false)
      await app.user.click(button(form.label))
      await screen.findByRole('heading', { name: title })
      expect(screen.getByRole('alertdialog').textContent).toContain(text)
      await app.user.click(await answerButton('OK'))
      expect(screen.queryByRole('alertdialog')).toBeNull()
      expect(field('Password').value).toBe(GOOD.password)
      expect(logged()).toMatch(/failed/)
      expect(logged()).not.toContain(GOOD.password)
    },
  )
})

describe('a press on a button', () => {
  it('[AUTH-13] ripples for 600 ms', async () => {
    const { user } = await openForm(LOGIN)
    holdClock()
    await user.click(button('Tampilkan password'))
    expect(screen.getAllByTestId('ripple')).toHaveLength(1)
    await runFor(590)
    expect(screen.getAllByTestId('ripple')).toHaveLength(1)
    await runFor(20)
    expect(screen.queryByTestId('ripple')).toBeNull()
  })
})
