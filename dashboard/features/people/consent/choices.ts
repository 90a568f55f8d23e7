import type { ConsentCategory, ConsentDecision } from '#contract/people/consent'

type Category = Pick<ConsentCategory, 'slug' | 'isEssential' | 'services'>

/** A category is on when all its services are; what is essential always is. */
export const isGranted = (
  { isEssential, services }: Category,
  decisions: Readonly<Record<string, boolean>>,
): boolean => isEssential || services.every(({ id }) => decisions[id] === true)

/** What the switches say about each service; `on` names the categories that are switched on. */
export const decisionsFor = (
  categories: readonly Category[],
  on: readonly string[],
): ConsentDecision[] =>
  categories.flatMap(({ slug, isEssential, services }) =>
    services.map(({ id }) => ({ id, status: isEssential || on.includes(slug) })),
  )
