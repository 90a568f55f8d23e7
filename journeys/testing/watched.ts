import type { BrowserContext, Page } from 'playwright-core'
import { atEnd } from './ends.ts'

/** A page of the journey that runs, and what its console has said. */
export type Watched = { page: Page; console: string[] }

const pages = new Set<Watched>()
/** Where the platforms of this journey write down what they say. */
const logs = new Set<string>()

export const watchedPages = (): Watched[] => [...pages].filter(({ page }) => !page.isClosed())
export const watchedContexts = (): BrowserContext[] => [
  ...new Set(watchedPages().map(({ page }) => page.context())),
]
export const watchedLogs = (): string[] => [...logs]

export function watchPage(page: Page): Watched {
  const watched: Watched = { page, console: [] }
  pages.add(watched)
  page.on('close', () => pages.delete(watched))
  page.on('console', (message) =>
    watched.console.push(`${message.type()} ${page.url()}: ${message.text()}`),
  )
  page.on('pageerror', (error) => watched.console.push(`uncaught ${page.url()}: ${error.message}`))
  return watched
}

export function watchLog(file: string): void {
  logs.add(file)
  atEnd(async () => logs.delete(file))
}
