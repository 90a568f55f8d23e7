/** An area of a project with a second column of its own. What this build has no page for is left out. */
export const area = (
  ref: string,
  title: string | undefined,
  /** Name, path, and the feature without which an operator hides it. */
  pages: readonly (readonly [name: string, path: string, feature?: string])[],
) => ({
  ...(title ? { title } : {}),
  entries: pages.map(([name, path, feature]) => ({
    name,
    ...(feature ? { feature } : {}),
    to: `/project/${ref}/${path}`,
    route: `/project/$ref/${path}`,
  })),
})
