import { useHasRoute } from '../session/has-route.ts'
import { useSelfHosted } from '../session/mode.ts'
import { useWhere } from '../session/where.ts'
import { type Place, placesAt } from './places.ts'

/** The pages to offer here, as far as this build has them. */
export function usePlaces(): Place[] {
  const has = useHasRoute()
  return placesAt(useWhere(), useSelfHosted()).filter(({ route }) => has(route))
}
