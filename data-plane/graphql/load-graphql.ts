import type { Graphql } from './graphql.ts'

export type LoadGraphql = () => Promise<Graphql>

/** The library is many files: they are read for the first request, so that starting up does not wait for them. */
export function createGraphqlLoader(): LoadGraphql {
  let loading: Promise<Graphql> | undefined
  return () => (loading ??= import('./graphql.ts').then((loaded) => loaded.createGraphql()))
}
