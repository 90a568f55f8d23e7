import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useHasRoute } from '../session/has-route.ts'
import { projectQuery } from '../session/project.ts'
import { type Place, placesAt, type Where } from './places.ts'

/** The organization and project of the page. A project knows its organization; until it is read, only the ref is known. */
export function useWhere(): Where {
  const { slug, ref } = useParams({ strict: false })
  const { data: project } = useQuery({ ...projectQuery(ref ?? ''), enabled: ref !== undefined })
  return { slug: slug ?? (ref ? project?.organization_slug : undefined), ref }
}

/** The pages to offer here, as far as this build has them. */
export function usePlaces(): Place[] {
  const has = useHasRoute()
  return placesAt(useWhere()).filter((place) => has(place.route))
}
