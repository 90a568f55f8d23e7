import { useHasRoute } from '../session/organization/has-route.ts'
import { useSelfHosted } from '../session/organization/mode.ts'
import { useWhere } from '../session/project/where.ts'
import { type Place, placesAt } from './places.ts'

/** The pages to offer here, as far as this build has them. */
export function usePlaces(): Place[] {
  const has = useHasRoute()
  return placesAt(useWhere(), useSelfHosted()).filter(({ route }) => has(route))
}
