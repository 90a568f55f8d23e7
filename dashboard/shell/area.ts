/** A page of an area. `away`: it is one of another area that is looked for here too; `platform`: self-hosted mode does not have it. */
type AreaPage = readonly [name: string, path: string, mark?: 'away' | 'platform']

/** An area of a project with a second column of its own. What this build has no page for is left out. */
export const area = (ref: string, title: string | undefined, pages: readonly AreaPage[]) => ({
  ...(title ? { title } : {}),
  entries: pages.map(([name, path, mark]) => ({
    name,
    to: `/project/${ref}/${path}`,
    route: `/project/$ref/${path}`,
    ...(mark === 'away' && { leadsAway: true as const }),
    ...(mark === 'platform' && { platformOnly: true as const }),
  })),
})
