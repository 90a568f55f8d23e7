import type { Domains } from '#contract/projects/domains'
import type { Project } from '#contract/projects/projects'

/** What every card of this page is about. */
export type NamesProps = { project: Project; domains: Domains }
