import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const SCRIPT = 'src/app/before-first-paint.js'
const NAME = 'before-first-paint.js'

/**
 * The theme is chosen before the first paint: by a classic script, since modules run after it, and in a file of its own, since the CSP
 * forbids inline ones. It goes to the assets, where browsers keep it for good.
 */
export function beforeFirstPaint(): Plugin {
  let building = false
  return {
    name: 'siarin-before-first-paint',
    configResolved(config) {
      building = config.command === 'build'
    },
    async buildStart() {
      if (building) this.emitFile({ type: 'asset', name: NAME, source: await readFile(SCRIPT, 'utf8') })
    },
    transformIndexHtml(_html, { bundle = {} }) {
      const built = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(NAME))
      return [{ tag: 'script', attrs: { src: `/${built?.fileName ?? SCRIPT}` }, injectTo: 'head-prepend' }]
    },
  }
}
