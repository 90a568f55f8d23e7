import { useSuspenseQuery } from '@tanstack/react-query'
import { targetOf } from '#contract/permissions'
import { projectQuery } from './project.ts'

/** Whom a project's permissions are asked for: what useDenials takes. A branch goes by the project that it belongs to. */
export function useProject(ref: string): { organizationSlug: string; projectRef: string } {
  const { data } = useSuspenseQuery(projectQuery(ref))
  return targetOf(data)
}
