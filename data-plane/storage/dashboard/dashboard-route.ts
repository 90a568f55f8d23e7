import type { Endpoint, Parsed } from '#contract/endpoint'
import type { Place } from './dashboard-objects.ts'

/** What the dashboard asks, and what answers it. */
export type DashboardRoute = {
  endpoint: Endpoint
  handler: (input: never, place: Place) => Promise<unknown>
}

export function route<E extends Endpoint>(
  endpoint: E,
  handler: (input: Parsed<E>, place: Place) => Promise<unknown>,
): DashboardRoute {
  return { endpoint, handler }
}
