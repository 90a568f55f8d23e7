import { create } from 'zustand'

/** True once a part of the dashboard could not be loaded: after a deploy the old parts are gone from the server. */
export const useOutdated = create<{ outdated: boolean }>()(() => ({ outdated: false }))

/** Learns of parts that cannot be loaded. Whatever wanted the part fails as it would; this offers the way out. */
export const watchForNewVersion = () =>
  addEventListener('vite:preloadError', () => useOutdated.setState({ outdated: true }))

/** Whether an error is about a part of the dashboard that could not be loaded; the three browsers' own words. */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error &&
  /failed to fetch dynamically imported module|importing a module script failed|error loading dynamically imported module|unable to preload css/i.test(
    error.message,
  )
