/** A page of an area, and whether it is one of another area that is looked for here too. */
type AreaPage = readonly [name: string, path: string, away?: 'away']

/** An area of a project with a second column of its own. What this build has no page for is left out. */
export const area = (ref: string, title: string | undefined, pages: readonly AreaPage[]) => ({
  ...(title ? { title } : {}),
  entries: pages.map(([name, path, away]) => ({
    name,
    to: `/project/${ref}/${path}`,
    route: `/project/$ref/${path}`,
    ...(away && { leadsAway: true as const }),
  })),
})
