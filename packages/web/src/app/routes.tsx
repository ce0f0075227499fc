import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { articlePath } from '../features/documentation/article-path.ts'
import { ARTICLES, type Article } from '../features/documentation/articles.ts'
import { BootScreen } from './boot-screen.tsx'
import { ErrorScreen } from './error-screen.tsx'
import { type Access, guard } from './guards.ts'
import { LandingLayout } from './layouts/landing-layout.tsx'
import { PublicLayout } from './layouts/public-layout.tsx'
import { RootLayout } from './layouts/root-layout.tsx'
import type { RouteMetadata } from './route-metadata.tsx'

export interface Screen {
  /** '*': any other. */
  path: string
  access: Access
  /** Absent: the fallback title and description. */
  metadata?: RouteMetadata
  load: () => Promise<ComponentType>
}

const screen = ({ path, access, metadata, load }: Screen): RouteObject => ({
  path,
  loader: guard(access),
  handle: metadata,
  lazy: async () => ({ Component: await load() }),
})

/** One route for each article, so that each has its title and any other address is not found. */
const articleScreen = (article: Article): Screen => ({
  path: articlePath(article.slug),
  access: 'everyone',
  metadata: { title: article.title, description: article.excerpt },
  load: async () => {
    const [{ ArticleScreen }, { sections }] = await Promise.all([
      import('../features/documentation/components/article-screen.tsx'),
      article.load(),
    ])
    // Keyed: two articles are two pages, not one that changes.
    return () => <ArticleScreen key={article.slug} article={article} sections={sections()} />
  },
})

/** Stands apart so that a first visit fetches little: no client for the server, no dialogs, no menus of members. */
const landing: Screen = {
  path: '/',
  access: 'guests',
  metadata: {
    title: 'Siaran langsung nonstop dari video Anda',
    description:
      'Siarkan video berulang tanpa henti ke YouTube, Facebook, TikTok, atau alamat RTMP lain, selama berminggu-minggu.',
  },
  load: async () => (await import('../features/landing/components/landing-screen.tsx')).LandingScreen,
}

const withHeader: Screen[] = [
  {
    path: '/dashboard',
    access: 'members',
    metadata: { title: 'Dashboard', description: 'Ringkasan siaran dan keadaan server Anda.' },
    load: async () => (await import('../features/dashboard/components/dashboard-screen.tsx')).DashboardScreen,
  },
  {
    path: '/fitur',
    access: 'members',
    metadata: { title: 'Dashboard', description: 'Semua fitur: siaran langsung, akun platform, dan tutorial.' },
    load: async () => (await import('../features/fitur/components/fitur-screen.tsx')).FiturScreen,
  },
  {
    path: '/fitur/live',
    access: 'members',
    metadata: { title: 'Live', description: 'Upload video, lalu siarkan berulang ke platform pilihan Anda.' },
    load: async () => (await import('../features/live/components/live-screen.tsx')).LiveScreen,
  },
  {
    path: '/fitur/siaran',
    access: 'members',
    metadata: { title: 'Ruang kontrol', description: 'Semua siaran Anda dalam satu layar.' },
    load: async () => (await import('../features/control-room/components/control-room-screen.tsx')).ControlRoomScreen,
  },
  {
    path: '/fitur/analytics',
    access: 'members',
    metadata: { title: 'Analitik', description: 'Jam tayang, kelancaran, dan gangguan siaran Anda.' },
    load: async () => (await import('../features/analytics/components/analytics-screen.tsx')).AnalyticsScreen,
  },
  {
    path: '/fitur/analytics/laporan',
    access: 'members',
    metadata: { title: 'Laporan bulanan', description: 'Satu bulan siaran dalam satu laporan untuk dicetak.' },
    load: async () => (await import('../features/analytics/components/report-screen.tsx')).ReportScreen,
  },
  {
    path: '/fitur/analytics/:broadcastId',
    access: 'members',
    metadata: { title: 'Riwayat siaran', description: 'Seluruh jalannya satu siaran pada satu garis waktu.' },
    load: async () => (await import('../features/analytics/components/story-screen.tsx')).StoryScreen,
  },
  {
    path: '/fitur/rekaman',
    access: 'members',
    metadata: { title: 'Rekaman', description: 'Putar, potong, unduh, dan pakai lagi siaran yang direkam.' },
    load: async () => (await import('../features/recordings/components/recordings-screen.tsx')).RecordingsScreen,
  },
  {
    path: '/fitur/account',
    access: 'members',
    metadata: { title: 'Account', description: 'Kelola akun Bigo dan TikTok yang terhubung.' },
    load: async () => (await import('../features/account/components/account-screen.tsx')).AccountScreen,
  },
  {
    path: '/fitur/target',
    access: 'members',
    metadata: { title: 'Tujuan', description: 'Simpan tujuan siaran sekali, uji, lalu pakai kapan saja.' },
    load: async () => (await import('../features/targets/components/targets-screen.tsx')).TargetsScreen,
  },
  {
    path: '/fitur/jadwal',
    access: 'members',
    metadata: { title: 'Jadwal', description: 'Siaran yang akan datang, dan jadwal yang memulainya.' },
    load: async () => (await import('../features/schedules/components/schedules-screen.tsx')).SchedulesScreen,
  },
  {
    path: '/fitur/playlist',
    access: 'members',
    metadata: {
      title: 'Playlist',
      description: 'Susun beberapa video, lalu siarkan berurutan atau diacak tanpa putus.',
    },
    load: async () => (await import('../features/playlists/components/playlists-screen.tsx')).PlaylistsScreen,
  },
  {
    path: '/fitur/branding',
    access: 'members',
    metadata: { title: 'Branding', description: 'Logo, teks, dan warna Anda, untuk dipasang di video.' },
    load: async () => (await import('../features/branding/components/branding-screen.tsx')).BrandingScreen,
  },
  {
    path: '/fitur/notifikasi',
    access: 'members',
    metadata: {
      title: 'Notifikasi',
      description: 'Kabar tentang siaran Anda, di aplikasi, Telegram, Discord, browser, dan email.',
    },
    load: async () =>
      (await import('../features/notifications/components/notifications-screen.tsx')).NotificationsScreen,
  },
  {
    path: '/fitur/webhook',
    access: 'members',
    metadata: { title: 'Webhook', description: 'Kabari program Anda sendiri begitu sesuatu terjadi pada siaran.' },
    load: async () => (await import('../features/webhooks/components/webhooks-screen.tsx')).WebhooksScreen,
  },
  {
    path: '/fitur/tutorial',
    access: 'members',
    metadata: { title: 'Tutorial', description: 'Video tutorial langkah demi langkah untuk mulai siaran.' },
    load: async () => (await import('../features/tutorial/components/tutorial-screen.tsx')).TutorialScreen,
  },
  {
    path: '/profile',
    access: 'members',
    metadata: { title: 'Profile', description: 'Informasi akun dan API key Anda.' },
    load: async () => (await import('../features/profile/components/profile-screen.tsx')).ProfileScreen,
  },
  {
    path: '/profile/plan',
    access: 'members',
    metadata: { title: 'Paket', description: 'Paket Anda, pemakaiannya, dan perbandingan semua paket.' },
    load: async () => (await import('../features/plan/components/plan-screen.tsx')).PlanScreen,
  },
  {
    path: '/documentation',
    access: 'everyone',
    metadata: { title: 'Documentation', description: 'Panduan memakai layanan siaran dan API-nya.' },
    load: async () =>
      (await import('../features/documentation/components/documentation-screen.tsx')).DocumentationScreen,
  },
  ...ARTICLES.map(articleScreen),
  {
    path: '/documentation/captcha/text',
    access: 'everyone',
    metadata: { title: 'Captcha Text', description: 'Dokumentasi Captcha Text.' },
    load: async () => (await import('../features/documentation/components/captcha-text-screen.tsx')).CaptchaTextScreen,
  },
  {
    path: '/documentation/captcha/v3',
    access: 'everyone',
    metadata: { title: 'Recaptcha V3', description: 'Kelola video lewat API key.' },
    load: async () => (await import('../features/recaptcha-v3/components/recaptcha-v3-screen.tsx')).RecaptchaV3Screen,
  },
]

const pageAreaOnly: Screen[] = [
  {
    path: '/register',
    access: 'guests',
    metadata: { title: 'Register', description: 'Buat akun baru dan mulai siaran langsung tanpa henti.' },
    load: async () => (await import('../features/auth/components/register-screen.tsx')).RegisterScreen,
  },
  {
    path: '/login',
    access: 'guests',
    metadata: { title: 'Login', description: 'Masuk ke akun Anda untuk mengatur siaran.' },
    load: async () => (await import('../features/auth/components/login-screen.tsx')).LoginScreen,
  },
  {
    path: '/forgot-password',
    access: 'guests',
    metadata: { title: 'Lupa password', description: 'Minta tautan untuk membuat password baru.' },
    load: async () => (await import('../features/auth/components/forgot-password-screen.tsx')).ForgotPasswordScreen,
  },
  {
    path: '/reset-password',
    access: 'everyone',
    metadata: { title: 'Password baru', description: 'Buat password baru untuk akun Anda.' },
    load: async () => (await import('../features/auth/components/reset-password-screen.tsx')).ResetPasswordScreen,
  },
  {
    path: '/verify-email',
    access: 'everyone',
    metadata: { title: 'Verifikasi email', description: 'Pastikan alamat email akun Anda.' },
    load: async () => (await import('../features/auth/components/verify-email-screen.tsx')).VerifyEmailScreen,
  },
  {
    path: '*',
    access: 'everyone',
    load: async () => (await import('../features/not-found/components/not-found-screen.tsx')).NotFoundScreen,
  },
]

/** What there is to see, for the build, which makes HTML of it. */
export const SCREENS: readonly Screen[] = [landing, ...withHeader, ...pageAreaOnly]

/** Every component in every state, for developers. The condition is known when the page is built, so none of it is in the product. */
const forDevelopers: Screen[] = import.meta.env.DEV
  ? [
      {
        path: '/_ui',
        access: 'everyone',
        load: async () => (await import('./gallery/gallery-screen.tsx')).GalleryScreen,
      },
    ]
  : []

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: ErrorScreen,
    HydrateFallback: BootScreen,
    children: [
      { Component: LandingLayout, children: [screen(landing)] },
      {
        lazy: async () => ({ Component: (await import('./layouts/app-layout.tsx')).AppLayout }),
        children: [
          {
            lazy: async () => ({ Component: (await import('./layouts/main-layout.tsx')).MainLayout }),
            children: [...withHeader, ...forDevelopers].map(screen),
          },
          { Component: PublicLayout, children: pageAreaOnly.map(screen) },
        ],
      },
    ],
  },
]
