import type { ArticleSlug } from '@siarin/contracts/articles'
import type { Section } from './articles/section.ts'

export interface Article {
  readonly slug: ArticleSlug
  readonly title: string
  readonly excerpt: string
  readonly category: string
  /** When it was last made true, as ISO day. */
  readonly date: string
  readonly load: () => Promise<{ sections: () => readonly Section[] }>
}

/** The cards of the Documentation screen, in their order. The text of an article is fetched when it is opened. */
export const ARTICLES: readonly Article[] = [
  {
    slug: 'siaran-pertama',
    title: 'Siaran pertama Anda',
    excerpt: 'Dari akun baru sampai video Anda tayang berulang: enam langkah, sekitar sepuluh menit.',
    category: 'Mulai',
    date: '2026-11-15',
    load: () => import('./articles/first-broadcast.tsx'),
  },
  {
    slug: 'menyiapkan-video',
    title: 'Menyiapkan video untuk diputar berminggu-minggu',
    excerpt: 'Format apa saja boleh. Inilah yang terjadi setelah upload, dan setelan ekspor yang langsung siap tayang.',
    category: 'Video',
    date: '2026-11-17',
    load: () => import('./articles/preparing-video.tsx'),
  },
  {
    slug: 'kunci-dan-platform',
    title: 'Stream key dan platform',
    excerpt: 'Di mana stream key YouTube, Facebook, TikTok, dan Twitch berada, dan aturan main di setiap platform.',
    category: 'Platform',
    date: '2026-11-15',
    load: () => import('./articles/keys-and-platforms.tsx'),
  },
  {
    slug: 'api',
    title: 'Mengatur siaran lewat API',
    excerpt:
      'Upload, mulai, ganti, dan hentikan siaran dari program Anda sendiri, dengan contoh curl yang siap disalin.',
    category: 'API',
    date: '2026-11-15',
    load: () => import('./articles/api.tsx'),
  },
  {
    slug: 'webhook',
    title: 'Webhook: program Anda diberi tahu',
    excerpt:
      'Terima kabar begitu siaran tayang, terputus, atau berakhir, dan periksa tanda tangannya di Node.js dan PHP.',
    category: 'API',
    date: '2026-11-16',
    load: () => import('./articles/webhooks.tsx'),
  },
]
