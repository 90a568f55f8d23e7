import { textParams } from '../../session/search-params.ts'

/**
 * What the route of a list of objects says of its address, and what it reads ahead. The page does not wait for it: it says
 * itself what is missing.
 */
export const objectRoute = <Name extends string>(
  names: readonly Name[],
  read: (ref: string, schema: string) => void,
) => ({
  validateSearch: textParams(...names),
  loaderDeps: ({ search }: { search: { [N in Name]?: string } }) => ({
    schema: schemaIn(search),
  }),
  loader: ({ params, deps }: { params: { ref: string }; deps: { schema: string } }) =>
    read(params.ref, deps.schema),
})

const schemaIn = ({ schema = 'public' }: Readonly<Partial<Record<string, string>>>) => schema
