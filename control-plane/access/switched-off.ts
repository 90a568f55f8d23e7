import { isSwitchedOff } from '#contract/features'
import { isPlatformOnly } from '#contract/operations/platform-only'
import { ApiError } from '#kit/errors'
import type { Route } from '#kit/http'

/** The same routes; those of features that the operator has switched off refuse (requirements §6, `disabled_features`). */
export const withoutFeatures = (routes: Route[], disabled: readonly string[]): Route[] =>
  routes.map((route) =>
    isSwitchedOff(route.endpoint.name, disabled)
      ? {
          ...route,
          raw: false,
          run: async () => {
            throw new ApiError('feature_disabled')
          },
        }
      : route,
  )

/** The same routes; in self-hosted mode those that only the hosted platform has refuse. */
export const withoutPlatform = (routes: Route[]): Route[] =>
  routes.map((route) =>
    isPlatformOnly(route.endpoint.name)
      ? {
          ...route,
          raw: false,
          run: async () => {
            throw new ApiError('platform_only')
          },
        }
      : route,
  )
