import type { Plugin } from 'vite'

/** The one file that every screen's text needs; its other alphabets are fetched by those who read them. */
const TYPEFACE = /plus-jakarta-sans-latin-wght-normal-[\w-]+\.woff2$/

/** Without it the browser learns of the typeface only after the style sheet. */
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

/**
 * Text that stands in another typeface keeps it for this visit, instead of jumping when ours comes late. That is rare: it is asked for
 * with the page, and is smaller than the scripts that write the text. Stands behind Tailwind, which puts imported style sheets in.
 */
export const typefaceWithoutJumps = (): Plugin => ({
  name: 'siarin-typeface-without-jumps',
  enforce: 'pre',
  transform(code, id) {
    return id.endsWith('.css')
      ? code.replace(/(Plus Jakarta Sans Variable[^}]*?font-display:\s*)swap/g, '$1optional')
      : null
  },
})
