/** An area of a project with a second column of its own. What this build has no page for is left out. */
export const area = (
  ref: string,
  title: string | undefined,
  pages: readonly (readonly [name: string, path: string])[],
) => ({
  ...(title ? { title } : {}),
  entries: pages.map(([name, path]) => ({
    name,
    to: `/project/${ref}/${path}`,
    route: `/project/$ref/${path}`,
  })),
})
