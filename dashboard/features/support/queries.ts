import { api } from '#contract/api'
import { q } from '../../api/client.ts'

/** Enough to choose from; who has more names the project in the text. */
export const projectsQuery = (slug: string) => q(api.organizations.projects, { slug, limit: 100 })
