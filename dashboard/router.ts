import { createRouter, type RouterHistory } from '@tanstack/react-router'
import type { HideableFeature } from '#contract/features'
import { routeTree } from './routeTree.gen.ts'
import { reportCrash } from './session/telemetry/error-report.ts'
import { PagePending } from './shell/Pending.tsx'
import { RouteError, RouteNotFound } from './shell/RouteError.tsx'
import { parseSearch, stringifySearch } from './search.ts'

export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // The query cache decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    defaultPendingMinMs: 200,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: RouteError,
    defaultOnCatch: reportCrash,
    // What no page can show is for the boundary around everything, which has our words and the ways on.
    disableGlobalCatchBoundary: true,
    defaultNotFoundComponent: RouteNotFound,
    scrollRestoration: true,
    ...(history ? { history } : {}),
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    /** The page in the window's title. */
    title?: string
    /** The page is of use while the project's database is not up. */
    withoutDatabase?: boolean
    /** Operators can hide it and all pages below it (requirements §6). */
    feature?: HideableFeature
    /** The feature preview that the page and all pages below it belong to: they are there while it is on. */
    preview?: string
  }
}
