import type { AppProject, Guide } from './guide.ts'
import { next } from './guides-next.ts'
import { astro, nuxt, solid, sveltekit, vue } from './guides-others.ts'
import { react, refine, remix } from './guides-react.ts'

/** In the order in which they are offered (facts §10). */
export const appGuides: readonly Guide<AppProject>[] = [
  next,
  remix,
  react,
  nuxt,
  vue,
  sveltekit,
  solid,
  astro,
  refine,
]
