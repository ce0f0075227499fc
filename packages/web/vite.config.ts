import { readFile } from 'node:fs/promises'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin, type Rolldown } from 'vite'
import { precompress } from './build/precompress.ts'

/** Pages that live under /fitur; everything else there is the API's. */
const FITUR_PAGES = 'live|account|tutorial'

/**
 * zod compiles its parsers with `new Function` and probes for it while schemas are built. The server's CSP forbids that, and the
 * probe alone would be reported as a violation, so the chunk that carries zod says so before zod runs.
 */
const zodWithoutEval = 'globalThis.__zod_globalConfig ??= { jitless: true };'

const THEME_SCRIPT = 'src/app/theme-first.js'
const TEXT_FONT = 'plus-jakarta-sans-latin-wght-normal.woff2'

/**
 * What must be there before the first paint. The theme is chosen by a classic script, since modules run after that paint, and in a file
 * of its own, since the CSP forbids inline ones; it goes to the assets, where browsers keep it for good. The typeface is fetched beside
 * the code instead of after it, so that no text changes its width when it comes.
 */
function firstPaint(): Plugin {
  let building = false
  return {
    name: 'first-paint',
    configResolved(config) {
      building = config.command === 'build'
    },
    async buildStart() {
      if (building) this.emitFile({ type: 'asset', name: 'theme.js', source: await readFile(THEME_SCRIPT, 'utf8') })
    },
    transformIndexHtml(_html, { bundle }) {
      if (!bundle) return [{ tag: 'script', attrs: { src: `/${THEME_SCRIPT}` }, injectTo: 'head-prepend' }]
      const addressOf = (name: string): string => {
        const built = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(name))
        if (!built) throw new Error(`The build has no ${name}.`)
        return `/${built.fileName}`
      }
      const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: addressOf(TEXT_FONT) }
      return [
        { tag: 'script', attrs: { src: addressOf('theme.js') }, injectTo: 'head-prepend' },
        { tag: 'link', attrs: font, injectTo: 'head-prepend' },
      ]
    },
  }
}

type Graph = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...given: never[]) => unknown>>[1]

/** Whether the entry or the landing page imports a module, itself or through others. */
function isOfFirstVisit(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (/\/web\/src\/(app\/main|features\/landing\/components\/landing-screen)\.tsx$/.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return graph.getModuleInfo(id)?.importers.some((importer) => isOfFirstVisit(importer, graph, seen)) ?? false
}

export default defineConfig(({ mode }) => {
  const { PORT = '3000' } = loadEnv(mode, '.', 'PORT')
  const api = { target: `http://127.0.0.1:${PORT}`, changeOrigin: false, xfwd: true }

  return {
    plugins: [react(), tailwindcss(), firstPaint(), precompress()],
    server: {
      proxy: {
        '/auth': api,
        '/settings': api,
        '/articles': api,
        '/healthz': api,
        [`^/fitur/(?!(?:${FITUR_PAGES})/?(?:\\?|$)).`]: api,
      },
    },
    build: {
      // Fonts as data: addresses would need a hole in the CSP.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // hls.js alone is larger; it is fetched only when an .m3u8 is played.
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        output: {
          banner: (chunk) => (chunk.moduleIds.some((id) => id.includes('/zod/')) ? zodWithoutEval : ''),
          // The names of such parts list all their screens, which helps nobody.
          chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
          // What screens share, in three files instead of thirty: the framework, what a first visit needs, and the rest.
          codeSplitting: {
            groups: [
              { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
              // By the screens that show them: a first visit is not to fetch the icons of all the others.
              {
                name: 'icons',
                test: /node_modules\/lucide-react\//,
                entriesAware: true,
                entriesAwareMergeThreshold: 5000,
              },
              {
                name: (id, graph) => (isOfFirstVisit(id, graph) ? 'first-visit' : 'shared'),
                test: /(web\/src\/(lib|components)|contracts\/src)\/|node_modules\/(@tanstack|axios|zod|sonner)\//,
              },
            ],
          },
        },
      },
    },
  }
})
