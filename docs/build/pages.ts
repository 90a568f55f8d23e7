import { apiPage } from './api-page.ts'
import { settingsPage } from './settings-page.ts'

/** The pages that are made from code, by their file in docs/. */
export const generatedPages = (): Readonly<Record<string, string>> => ({
  'settings.md': settingsPage(),
  'api.md': apiPage(),
})
