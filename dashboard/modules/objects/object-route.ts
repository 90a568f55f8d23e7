import { textParams } from '../../session/search-params.ts'

/**
 * What the route of a list of objects says of its address. What it reads ahead stands in the route itself, where the build
 * finds it: it comes with the page and is no part of the first load.
 */
export const objectRoute = <Name extends string>(...names: Name[]) => ({
  validateSearch: textParams(...names),
  loaderDeps: ({ search }: { search: { [N in Name]?: string } }) => ({
    schema: schemaIn(search),
  }),
})

const schemaIn = ({ schema = 'public' }: Readonly<Partial<Record<string, string>>>) => schema
