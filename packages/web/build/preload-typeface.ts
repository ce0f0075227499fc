import type { Plugin } from 'vite'

/** The one file that every screen's text needs; its other alphabets are fetched by those who read them. */
const TYPEFACE = /plus-jakarta-sans-latin-wght-normal-[\w-]+\.woff2$/

/** Without it the browser learns of the typeface only after the style sheet, and text jumps from the stand-in to it. */
export const preloadTypeface = (): Plugin => ({
  name: 'siarin-preload-typeface',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const file = Object.keys(bundle).find((name) => TYPEFACE.test(name))
      if (!file) throw new Error('The typeface is not in the bundle: its name has changed.')
      const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
})
