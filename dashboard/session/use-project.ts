import { useSuspenseQuery } from '@tanstack/react-query'
import { projectQuery } from './project.ts'

/** Whom a project's permissions are asked for: what useDenials takes. */
export function useProject(ref: string): { organizationSlug: string; projectRef: string } {
  const { data } = useSuspenseQuery(projectQuery(ref))
  return { organizationSlug: data.organization_slug, projectRef: ref }
}
