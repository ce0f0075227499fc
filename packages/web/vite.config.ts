import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { precompress } from './build/precompress.ts'
import { preloadTypeface } from './build/preload-typeface.ts'

/** Pages that live under /fitur; everything else there is the API's. */
const FITUR_PAGES = 'live|account|tutorial'

/**
 * zod compiles its parsers with `new Function` and probes for it while schemas are built. The server's CSP forbids that, and the
 * probe alone would be reported as a violation, so the chunk that carries zod says so before zod runs.
 */
const zodWithoutEval = 'globalThis.__zod_globalConfig ??= { jitless: true };'

export default defineConfig(({ mode }) => {
  const { PORT = '3000' } = loadEnv(mode, '.', 'PORT')
  const api = { target: `http://127.0.0.1:${PORT}`, changeOrigin: false, xfwd: true }

  return {
    plugins: [react(), tailwindcss(), preloadTypeface(), precompress()],
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
          // What every screen needs, in two files instead of thirty: the libraries change rarely and stay cached.
          codeSplitting: {
            groups: [
              {
                name: 'vendor',
                test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|axios|zod|sonner)\//,
              },
              { name: 'shared', test: /(web\/src\/(lib|components)|contracts\/src)\// },
            ],
          },
        },
      },
    },
  }
})
