import { api } from '#contract/api'
import { q, queryClient } from '../../api/client.ts'
import { flagsQuery } from './flags.ts'
import { organizationsQuery } from '../organization/organizations.ts'
import { loadProject } from '../project/project.ts'

/** All that decides whether a preview is on in a project, for loaders of pages that lead to one place or the other. */
export async function loadPreviews(ref: string, preload: boolean): Promise<void> {
  const { organization_slug } = await loadProject(ref, { preload })
  await Promise.all([
    queryClient.ensureQueryData(flagsQuery(organization_slug)),
    queryClient.ensureQueryData(organizationsQuery),
    queryClient.ensureQueryData(q(api.platform.status, {})),
  ])
}
