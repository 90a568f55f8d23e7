import { useRouter } from '@tanstack/react-router'

/** `has('/project/$ref/sql')` tells whether this build has such a page: what has none is not offered. */
export function useHasRoute(): (route: string) => boolean {
  const { routesByPath } = useRouter()
  return (route) => Object.hasOwn(routesByPath, route)
}
