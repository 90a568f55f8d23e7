import { useRouter, type AnyRoute } from '@tanstack/react-router'
import { usePreviews } from '../telemetry/previews.ts'
import { useDisabledFeatures } from '../identity/profile.ts'

/**
 * `has('/project/$ref/sql')` tells whether this build has such a page and its operator does not hide it, nor the
 * person: what there is not is not offered.
 */
export function useHasRoute(): (route: string) => boolean {
  const routes = new Map<string, AnyRoute>(Object.entries(useRouter().routesByPath))
  const isOff = useDisabledFeatures()
  const tries = usePreviews()
  return (path) => {
    const found = routes.get(path)
    if (!found) return false
    for (let route: AnyRoute | undefined = found; route; route = parentOf(route)) {
      const { feature, preview } = route.options.staticData ?? {}
      if ((feature && isOff(feature)) || (preview && !tries(preview))) return false
    }
    return true
  }
}

// The root has none, which its type does not say.
const parentOf = (route: AnyRoute): AnyRoute | undefined => route.parentRoute
