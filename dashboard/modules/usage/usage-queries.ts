import { usage } from '#contract/billing/usage'
import { q } from '../../api/client.ts'

/** The present cycle unless its beginning is told, and all projects unless one is. */
export type Asked = { slug: string; cycle?: string | undefined; project?: string | undefined }

const inputOf = ({ slug, cycle, project }: Asked) => ({
  slug,
  ...(cycle !== undefined && { start: cycle }),
  ...(project !== undefined && { project_ref: project }),
})
export const usageQuery = (asked: Asked) => q(usage.get, inputOf(asked))
export const dailyQuery = (asked: Asked) => q(usage.daily, inputOf(asked))
