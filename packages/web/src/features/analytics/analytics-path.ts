export const ANALYTICS_PATH = '/fitur/analytics'
export const REPORT_PATH = `${ANALYTICS_PATH}/laporan`

/** The page of one broadcast, by its id or by that of one of its streams. */
export const storyPath = (id: string): string => `${ANALYTICS_PATH}/${encodeURIComponent(id)}`
