import type { BrandKit, Look } from '@siarin/contracts/branding'
import type { Rendition, Video } from '@siarin/contracts/videos'
import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { type App, openApp } from '../../testing/app.tsx'
import type { FakeServer } from '../../testing/fake-server.ts'
import { button, findButton, tab, untilSaid } from '../../testing/screen.ts'

const LOOK: Look = {
  logo: { corner: 'tr', size: 15, margin: 3, opacity: 100 },
  lowerThird: null,
  frame: { shape: '9:16', fit: 'blur', colour: '#111827', focus: 50 },
}
const RECIPE = '720x1280@25:2800+b0123456789ab'
const made = (change: Partial<Rendition> = {}): Rendition => ({
  ...{ recipe: RECIPE, look: LOOK, state: 'ready', progress: null, secondsLeft: null, queue: null, reason: null },
  ...{ size: 1_000_000, bitrate: 2800, ...change },
})
const video = (...renditions: Rendition[]): Video => ({
  ...{ filename: 'sungai.mp4', size: 1_000_000, duration: 3, createdAt: '2026-01-15T12:30:00.000Z', status: 'ready' },
  ...{ step: null, progress: null, secondsLeft: null, queue: null, reason: null, warning: null },
  ...{ width: 1280, height: 720, fps: 25, bitrate: 2500, videoCodec: 'h264', audioCodec: 'aac' },
  ...{ hasThumbnail: true, canImprove: false, reducedFrom: null, tooLarge: false, renditions },
})
const KIT: BrandKit = {
  logo: { width: 400, height: 200, version: 'v1' },
  text: 'Kopi Senja',
  colours: { text: '#ffffff', background: '#0f766e' },
  allows: 'full',
}

const listed = (one: Video) => ({
  json: { success: true, message: '', data: [one], storage: { used: 1, limit: 20 * 1024 ** 3 } },
})

async function openVideo(one: Video, kit: Partial<BrandKit> = {}, more: (fake: FakeServer) => void = () => {}) {
  const app = await openApp('/fitur/live', {
    server: (fake) => {
      fake.on('GET /fitur/video', listed(one))
      fake.on('GET /fitur/branding', { json: { success: true, message: '', kit: { ...KIT, ...kit } } })
      more(fake)
    },
  })
  await app.user.click(await findButton(/^sungai\.mp4/))
  return app
}

async function openDialog(kit: Partial<BrandKit> = {}, more?: (fake: FakeServer) => void): Promise<App> {
  const app = await openVideo(video(), kit, more)
  await app.user.click(await findButton('Buat versi dengan brand'))
  await screen.findByTestId('brand-picture')
  return app
}

const slide = (label: string, value: number): boolean =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: String(value) } })
const radio = (name: string): HTMLElement => screen.getByRole('radio', { name })
const place = ({ style }: HTMLElement): string[] => [style.left, style.top, style.width, style.height]

describe('the dialog of a version with a brand', () => {
  it('[BRAND-02] shows the logo where and as large as it is burnt in', async () => {
    const { user } = await openDialog()
    const logo = screen.getByTestId('brand-logo')
    // 15 % of 1280 is 192, half as high; 3 % is 38.
    expect(place(logo)).toEqual(['82.031%', '5.278%', '15.000%', '13.333%'])
    slide('Lebar logo', 40)
    slide('Jarak dari tepi', 0)
    slide('Kepekatan logo', 30)
    await user.click(radio('Kiri bawah'))
    expect(place(logo)).toEqual(['0.000%', '64.444%', '40.000%', '35.556%'])
    expect(logo.style.opacity).toBe('0.3')
    await user.click(screen.getByRole('checkbox', { name: 'Logo' }))
    expect(screen.queryByTestId('brand-logo')).toBeNull()
    expect(button('Buat versi').disabled).toBe(true)
    await screen.findByText('Pilih paling sedikit satu: logo, teks, atau bingkai 9:16.')
  })

  it('[BRAND-03] stands upright, blurred, in colour or cropped, and is ordered as it is seen', async () => {
    const { server, user, fill } = await openDialog({}, ({ on }) =>
      on('POST /fitur/video/rendition/sungai.mp4', {
        json: { success: true, message: 'Versi baru sedang disiapkan.', rendition: made({ state: 'waiting' }) },
      }),
    )
    await user.click(radio('Tegak 9:16 untuk TikTok & Instagram'))
    const picture = screen.getByTestId('brand-picture')
    expect(picture.style.aspectRatio).toBe('1080 / 1920')
    screen.getByTestId('brand-blur')
    const [, inner] = picture.querySelectorAll('img')
    expect(inner && place(inner)).toEqual(['0.000%', '34.180%', '100.000%', '31.641%'])
    await user.click(radio('Latar warna'))
    await fill(screen.getByLabelText('Warna latar'), '#ff0000')
    expect(picture.querySelector('span')?.style.backgroundColor).toBe('#ff0000')
    await user.click(radio('Potong'))
    slide('Bagian yang terlihat', 80)
    expect(picture.querySelector('img')?.style.objectPosition).toBe('80% 80%')
    await user.click(screen.getByRole('checkbox', { name: 'Pita teks di bawah' }))
    expect(screen.getByTestId('brand-line').textContent).toBe('Kopi Senja')
    server.on('GET /fitur/video', listed(video(made({ state: 'preparing', progress: 43 }))))
    await user.click(button('Buat versi'))
    await screen.findByText('Versi logo kanan atas · 9:16 latar buram · 720×1280 · Disiapkan 43%')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(server.calls.find(({ route }) => route === 'POST /fitur/video/rendition/sungai.mp4')?.body).toEqual({
      look: {
        logo: LOOK.logo,
        lowerThird: { align: 'left', size: 5, margin: 6, opacity: 85 },
        frame: { shape: '9:16', fit: 'crop', colour: '#ff0000', focus: 80 },
      },
    })
  })

  it('[BRAND-04] has no logo where the plan has none, and still stands upright', async () => {
    const { user } = await openDialog({ allows: 'none' })
    expect((await screen.findByRole('note')).textContent).toContain(
      'Paket Free Trial belum punya logo sendiri di video.',
    )
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Logo' }).disabled).toBe(true)
    expect(screen.queryByTestId('brand-logo')).toBeNull()
    expect(button('Buat versi').disabled).toBe(true)
    await user.click(radio('Tegak 9:16 untuk TikTok & Instagram'))
    expect(button('Buat versi').disabled).toBe(false)
  })

  it('[BRAND-02] says where a logo is uploaded, and keeps what was set when it is refused', async () => {
    const { user } = await openDialog({ logo: null, text: '' }, ({ on }) =>
      on('POST /fitur/video/rendition/sungai.mp4', {
        status: 409,
        json: { success: false, message: 'Satu video paling banyak punya 6 versi.' },
      }),
    )
    expect(screen.getAllByRole('link', { name: 'Buka Branding' })).toHaveLength(2)
    await user.click(radio('Tegak 9:16 untuk TikTok & Instagram'))
    await user.click(radio('Potong'))
    await user.click(button('Buat versi'))
    await screen.findByText('Satu video paling banyak punya 6 versi.')
    expect((radio('Potong') as HTMLInputElement).checked).toBe(true)
  })
})

describe('the Go form', () => {
  const START = 'POST /fitur/steam/start'
  const openGo = async (...renditions: Rendition[]): Promise<App> => {
    const app = await openVideo(video(...renditions), {}, ({ on }) =>
      on(START, { json: { success: true, message: '', streamId: 's1' } }),
    )
    await app.user.click(tab('Go'))
    return app
  }
  const choice = (): Promise<HTMLElement> => screen.findByRole('group', { name: 'Versi' })

  it('[BRAND-03] sends the version that is chosen; the video itself unless one is', async () => {
    const { server, user, fill } = await openGo(made())
    const asked = () => server.calls.filter(({ route }) => route === START).map(({ body }) => body)
    await fill(screen.getByLabelText('RTMP/stream key'), 'kunci')
    expect(within(await choice()).getByRole<HTMLInputElement>('radio', { name: /^Asli/ }).checked).toBe(true)
    await user.click(button('Go Live'))
    await untilSaid('Siaran langsung dimulai!')
    expect(asked()[0]).not.toHaveProperty('rendition')
    await user.click(within(await choice()).getByRole('radio', { name: /^logo kanan atas · 9:16 latar buram/ }))
    await user.click(button('Go Live'))
    await screen.findByText('Siaran langsung dimulai!')
    expect(asked().at(-1)).toMatchObject({ source: 'sungai.mp4', rendition: RECIPE })
  })

  it('[BRAND-03] shows one that is being made, which cannot be chosen yet', async () => {
    await openGo(made({ state: 'preparing', progress: 40 }))
    const coming = within(await choice()).getByRole<HTMLInputElement>('radio', { name: /^logo kanan atas/ })
    expect(coming.disabled).toBe(true)
    expect((await choice()).textContent).toContain('Disiapkan 40%. Bisa dipilih begitu siap.')
  })

  it('[BRAND-03] offers an upright version where a platform shows upright pictures, and no more once one is chosen', async () => {
    const { user } = await openGo(made())
    await user.selectOptions(screen.getByLabelText('Platform'), 'Lainnya')
    await user.type(screen.getByRole('combobox', { name: 'Layanan tujuan' }), 'instagram{Enter}')
    await findButton('Buat versi tegak 9:16')
    await user.click(within(await choice()).getByRole('radio', { name: /^logo kanan atas/ }))
    expect(screen.queryByRole('button', { name: 'Buat versi tegak 9:16' })).toBeNull()
  })

  it('asks for no version where there is none with a brand', async () => {
    await openGo(made({ recipe: '640x360@25:800', look: null }))
    await screen.findByLabelText('Judul live')
    expect(screen.queryByRole('group', { name: 'Versi' })).toBeNull()
  })
})
