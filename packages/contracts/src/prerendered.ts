/**
 * What the build of the page and the server that shows it agree upon. Open pages are made as HTML when the page is built, and the build
 * knows no setting of the server. It writes a token in the place of each; the server puts the values in.
 */
export const PAGE_TOKENS = {
  brand: '⟦brand⟧',
  trialDays: '⟦trialDays⟧',
  whatsappNumber: '⟦whatsappNumber⟧',
  /** The origin that visitors see. */
  server: '⟦server⟧',
  year: '⟦year⟧',
} as const
export type PageToken = keyof typeof PAGE_TOKENS

/** Where index.html gets the settings as data. */
export const SETTINGS_PLACEHOLDER = '<!--siarin-settings-->'

/** The list of pages, within the folder of the built page. */
export const PAGE_LIST_FILE = 'pages/pages.json'

/** What a page shows or leaves out by the settings, so that no token can stand for it. */
export interface PageSwitches {
  readonly sendsMail: boolean
  readonly hasChat: boolean
}

export const switchesKey = ({ sendsMail, hasChat }: PageSwitches): string =>
  `${sendsMail ? 'mail' : 'no-mail'} ${hasChat ? 'chat' : 'no-chat'}`

export interface BuiltPage {
  /** As in the router; '*' is the page for any other address. */
  readonly path: string
  /** Whether search engines are told of it. */
  readonly listed: boolean
  /** The file within the folder of the built page, by `switchesKey`. */
  readonly files: Readonly<Record<string, string>>
}
