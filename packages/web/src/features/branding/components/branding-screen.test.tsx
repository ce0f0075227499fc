import type { BrandKit } from '@siarin/contracts/branding'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type App, openApp } from '../../../testing/app.tsx'
import type { FakeServer } from '../../../testing/fake-server.ts'
import { answerButton, button, field, findButton } from '../../../testing/screen.ts'

const KIT: BrandKit = {
  logo: null,
  text: '',
  colours: { text: '#ffffff', background: '#111827' },
  allows: 'full',
}
const LOGO = { width: 400, height: 200, version: 'v1' }

const answer = (change: Partial<BrandKit>, message = '') => ({
  json: { success: true, message, kit: { ...KIT, ...change } },
})

const open = (kit: Partial<BrandKit>, more: (server: FakeServer) => void = () => {}): Promise<App> =>
  openApp('/fitur/branding', {
    server: (server) => {
      server.on('GET /fitur/branding', answer(kit))
      more(server)
    },
  })

const png = (name = 'logo.png', type = 'image/png') => new File(['x'], name, { type })

describe('the logo', () => {
  it('[BRAND-01] is uploaded and seen on light and dark; the next one has another address', async () => {
    let version = 0
    const { server, user } = await open({}, ({ on }) =>
      on('PUT /fitur/branding/logo', () => {
        version += 1
        return answer({ logo: { ...LOGO, version: `v${version}` } }, 'Logo disimpan.')
      }),
    )
    await findButton(/^Klik atau seret logo ke sini/)
    await user.upload(field('File logo'), png())
    const light = await screen.findByRole<HTMLImageElement>('img', { name: 'Logo Anda di latar terang' })
    screen.getByRole('img', { name: 'Logo Anda di latar gelap' })
    expect(light.src).toContain('/fitur/branding/logo?ticket=ticket-of-rina&v=v1')
    fireEvent.drop(button(/^Klik atau seret logo pengganti/), { dataTransfer: { files: [png('b.svg', '')] } })
    await waitFor(() => expect(light.src).toContain('&v=v2'))
    expect(server.asked('PUT /fitur/branding/logo')).toBe(2)
  })

  it('[BRAND-01] is not sent where it cannot be one, and the server says why it takes another not', async () => {
    const { server, user } = await open({}, ({ on }) =>
      on('PUT /fitur/branding/logo', {
        status: 400,
        json: { success: false, code: 'invalid_input', message: 'SVG ini berisi hal yang tidak kami terima.' },
      }),
    )
    const area = await findButton(/^Klik atau seret logo/)
    fireEvent.drop(area, { dataTransfer: { files: [png('foto.jpg', 'image/jpeg')] } })
    await screen.findByText('Logo harus file PNG atau SVG.')
    expect(server.asked('PUT /fitur/branding/logo')).toBe(0)
    await user.upload(field('File logo'), png('logo.svg', 'image/svg+xml'))
    await screen.findByText('SVG ini berisi hal yang tidak kami terima.')
    expect(screen.queryByText('Logo harus file PNG atau SVG.')).toBeNull()
  })

  it('[BRAND-01] is removed after a question', async () => {
    const { user } = await open({ logo: LOGO }, ({ on }) => on('DELETE /fitur/branding/logo', answer({})))
    await user.click(await findButton('Hapus logo'))
    await user.click(await answerButton('Hapus'))
    await findButton(/^Klik atau seret logo ke sini/)
    expect(screen.queryByRole('button', { name: 'Hapus logo' })).toBeNull()
  })
})

describe('the line of text and the colours', () => {
  it('[BRAND-01] are seen as they are typed, and saved by the button', async () => {
    const { server, user, fill } = await open({}, ({ on }) =>
      on('PUT /fitur/branding', ({ body }) => answer(body as Partial<BrandKit>, 'Brand disimpan.')),
    )
    expect((await findButton('Simpan')).disabled).toBe(true)
    await fill(field('Teks brand'), 'Kopi Senja')
    await fill(field('Warna pita'), '#0f76')
    await screen.findByText('Warna harus ditulis seperti #1a2b3c.')
    expect(button('Simpan').disabled).toBe(true)
    await fill(field('Warna pita'), '#0f766e')
    const band = screen.getByTestId('band')
    expect([band.textContent, band.style.backgroundColor]).toEqual(['Kopi Senja', '#0f766e'])
    await user.click(button('Simpan'))
    await screen.findByText('Brand disimpan.')
    expect(server.calls.find(({ route }) => route === 'PUT /fitur/branding')?.body).toEqual({
      text: 'Kopi Senja',
      colours: { text: '#ffffff', background: '#0f766e' },
    })
    await waitFor(() => expect(button('Simpan').disabled).toBe(true))
  })
})

describe('what the plan allows', () => {
  it('[BRAND-04] is said calmly where it is nothing, with the way up and nothing to press', async () => {
    await open({ allows: 'none' })
    await screen.findByText('Paket Free Trial belum punya logo sendiri di video. Upgrade ke Starter untuk memakainya.')
    await screen.findByText(
      'Paket Free Trial belum punya teks brand di video. Upgrade ke Creator Pro untuk memakainya.',
    )
    expect(screen.getAllByRole('link', { name: 'Lihat paket' })).toHaveLength(2)
    expect(screen.queryByLabelText('File logo')).toBeNull()
    expect(field('Teks brand').disabled).toBe(true)
  })

  it('[BRAND-04] is the logo alone', async () => {
    await open({ allows: 'logo' })
    await findButton(/^Klik atau seret logo/)
    expect((await screen.findByRole('note')).textContent).toContain('bisa memakai logo, belum teks')
    expect(field('Teks brand').disabled).toBe(true)
  })
})

it('says what went wrong, and tries again', async () => {
  const { server, user } = await open({}, ({ on }) => on('GET /fitur/branding', 'unreachable'))
  const again = await findButton('Coba lagi')
  server.on('GET /fitur/branding', answer({}))
  await user.click(again)
  await findButton(/^Klik atau seret logo/)
})
