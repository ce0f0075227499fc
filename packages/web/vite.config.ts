import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Rolldown } from 'vite'
import { beforeFirstPaint } from './build/before-first-paint.ts'
import { precompress } from './build/precompress.ts'
import { prerender } from './build/prerender.ts'
import { preloadTypeface, typefaceWithoutJumps } from './build/typeface.ts'

/** Pages that live under /fitur; everything else there is the API's. */
const FITUR_PAGES = 'live|siaran|analytics|rekaman|account|target|playlist|branding|jadwal|notifikasi|webhook|tutorial'
/** Those that are calls too: a browser that goes there asks for HTML. */
const PAGES_AT_CALLS = 'target|playlist|branding|webhook|analytics/[^/?]+'

/**
 * zod compiles its parsers with `new Function` and probes for it while schemas are built. The server's CSP forbids that, and the
 * probe alone would be reported as a violation, so the chunk that carries zod says so before zod runs.
 */
const zodWithoutEval = 'globalThis.__zod_globalConfig ??= { jitless: true };'

type Graph = Parameters<Extract<Rolldown.CodeSplittingGroup['name'], (...given: never[]) => unknown>>[1]

/** Whether the entry or the landing page imports a module, itself or through others. */
function isOfFirstVisit(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (/\/web\/src\/(app\/main|features\/landing\/components\/landing-screen)\.tsx$/.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return graph.getModuleInfo(id)?.importers.some((importer) => isOfFirstVisit(importer, graph, seen)) ?? false
}

const outputForBrowsers: Rolldown.OutputOptions = {
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
        entriesAwareMergeThreshold: 1000,
      },
      {
        name: (id, graph) => (isOfFirstVisit(id, graph) ? 'first-visit' : 'shared'),
        test: /(web\/src\/(lib|components)|contracts\/src)\/|node_modules\/(@tanstack|axios|zod|sonner)\//,
      },
    ],
  },
}

export default defineConfig(({ mode, isSsrBuild = false }) => {
  const { PORT = '3000' } = loadEnv(mode, '.', 'PORT')
  const api = { target: `http://127.0.0.1:${PORT}`, changeOrigin: false, xfwd: true }

  return {
    plugins: [
      react(),
      tailwindcss(),
      // The second build, of which build/prerender.ts makes pages, is of the code alone.
      ...(isSsrBuild
        ? []
        : [typefaceWithoutJumps(), beforeFirstPaint(), preloadTypeface(), precompress(), prerender()]),
    ],
    // Node would read its thousand files one by one.
    ssr: { noExternal: ['lucide-react'] },
    server: {
      proxy: {
        '/auth': api,
        '/settings': api,
        '/articles': api,
        '/healthz': api,
        [`^/fitur/(?:${PAGES_AT_CALLS})/?(?:\\?|$)`]: {
          ...api,
          bypass: ({ headers, url }) => (headers.accept?.includes('text/html') ? url : undefined),
        },
        [`^/fitur/(?!(?:${FITUR_PAGES})/?(?:\\?|$)).`]: api,
      },
    },
    build: {
      // Fonts as data: addresses would need a hole in the CSP.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // hls.js alone is larger; it is fetched only when an .m3u8 is played.
      chunkSizeWarningLimit: 700,
      rolldownOptions: isSsrBuild ? {} : { output: outputForBrowsers },
    },
  }
})
