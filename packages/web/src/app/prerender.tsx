import { PAGE_TOKENS, type PageSwitches } from '@siarin/contracts/prerendered'
import type { PublicSettings } from '@siarin/contracts/settings'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { articlePath } from '../features/documentation/article-path.ts'
import { ARTICLES } from '../features/documentation/articles.ts'
import { takeSettings } from '../lib/settings.ts'
import { FALLBACK_METADATA } from './route-metadata.tsx'
import { routes, SCREENS, type Screen } from './routes.tsx'

/** One page as the build makes it (`build/prerender.ts`). */
export interface Page {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly guestsOnly: boolean
  /** Search engines are told of it, and it names its canonical address. */
  readonly listed: boolean
  /** Articles are one kind of thing to those who show links, everything else is another. */
  readonly kind: 'website' | 'article'
  /** It has 1200x630 pixels, and is shown where somebody shares the link. */
  readonly picture: string
  /** The modules that its first sight needs, beside the entry's; null: it is made in the browser alone. */
  readonly modules: readonly string[] | null
}

const APP = 'app/layouts/app-layout.tsx'
const MAIN = 'app/layouts/main-layout.tsx'
const AUTH = 'features/auth/components'
const DOCS = 'features/documentation'

const article = (text: string): readonly string[] => [
  APP,
  MAIN,
  `${DOCS}/components/article-screen.tsx`,
  `${DOCS}/articles/${text}.tsx`,
]

/** The pages that come as HTML, with what their `load` fetches. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  '/': ['features/landing/components/landing-screen.tsx'],
  '/login': [APP, `${AUTH}/login-screen.tsx`],
  '/register': [APP, `${AUTH}/register-screen.tsx`],
  '/documentation': [APP, MAIN, `${DOCS}/components/documentation-screen.tsx`],
  '/documentation/captcha/text': [APP, MAIN, `${DOCS}/components/captcha-text-screen.tsx`],
  [articlePath('siaran-pertama')]: article('first-broadcast'),
  [articlePath('menyiapkan-video')]: article('preparing-video'),
  [articlePath('kunci-dan-platform')]: article('keys-and-platforms'),
  [articlePath('api')]: article('api'),
  [articlePath('webhook')]: article('webhooks'),
  '*': [APP, 'features/not-found/components/not-found-screen.tsx'],
}

/** Nobody looks for them: they are reached from a letter or from Login. */
const UNLISTED = ['/forgot-password', '/reset-password', '/verify-email', '*']

const articlePaths: readonly string[] = ARTICLES.map(({ slug }) => articlePath(slug))

/** 'documentation-api' for '/documentation/api'. Pages that nobody outside can see share the picture of the front door. */
const pictureOf = (path: string, listed: boolean): string =>
  `/previews/${(listed && path.slice(1).replaceAll('/', '-')) || 'home'}.png`

function pageOf({ path, access, metadata = FALLBACK_METADATA }: Screen): Page {
  const listed = access !== 'members' && !UNLISTED.includes(path)
  return {
    path,
    ...metadata,
    guestsOnly: access === 'guests',
    listed,
    kind: articlePaths.includes(path) ? 'article' : 'website',
    picture: pictureOf(path, listed),
    modules: MODULES[path] ?? null,
  }
}

export const PAGES: readonly Page[] = SCREENS.map(pageOf)

/** The settings of nobody's server yet. */
export function unknownSettings({ sendsMail, hasChat }: PageSwitches): PublicSettings {
  const tokens = { ...PAGE_TOKENS, whatsappNumber: hasChat ? PAGE_TOKENS.whatsappNumber : '' }
  // Figures are only ever shown: a token does in their place.
  return { ...tokens, sendsMail, videoServiceUrl: '' } as unknown as PublicSettings
}

/** What a guest sees at a path, as HTML. `app/main.tsx` takes it over in the browser. */
export async function renderPage(path: string, settings: PublicSettings): Promise<string> {
  takeSettings(settings)
  const handler = createStaticHandler(routes)
  const context = await handler.query(new Request(new URL(path.replace('*', 'not-found'), 'http://build.invalid')))
  if (context instanceof Response) throw new Error(`${path} leads elsewhere: it cannot be prerendered.`)
  const [failure] = Object.values(context.errors ?? {})
  if (failure) throw failure
  return renderToString(
    <StrictMode>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </StrictMode>,
  )
}
