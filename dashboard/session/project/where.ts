import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { projectQuery } from './project.ts'

export type Where = { slug?: string | undefined; ref?: string | undefined }

/** The organization and project of the page. A project knows its organization; until it is read, only the ref is known. */
export function useWhere(): Where {
  const { slug, ref } = useParams({ strict: false })
  const { data: project } = useQuery({ ...projectQuery(ref ?? ''), enabled: ref !== undefined })
  return { slug: slug ?? (ref ? project?.organization_slug : undefined), ref }
}
