import { queryOptions } from '@tanstack/react-query'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { graphqlConsole, type GraphqlAnswer } from '#contract/data-api/graphql-console'
import { keyClaims, type Impersonation } from '../../../modules/roles/impersonation.ts'
import { call } from '../../../api/client.ts'

/** Whom a document runs as: who was chosen, or the secret key. */
export const asOf = (chosen: Impersonation | undefined, issuer: string) =>
  chosen
    ? { role: chosen.role, claims: chosen.claims }
    : {
        role: 'service_role',
        claims: keyClaims('service_role', {
          issuer,
          now: new Date(),
          sessionId: crypto.randomUUID(),
          aal: 'aal1',
        }),
      }

/** What a role can ask. It differs between roles, as their grants do. @throws when the service does not tell it */
export const schemaQuery = (ref: string, issuer: string, chosen: Impersonation | undefined) =>
  queryOptions({
    queryKey: [graphqlConsole.run.name, ref, 'schema', chosen?.role, chosen?.claims['sub']],
    queryFn: async ({ signal }): Promise<GraphQLSchema> => {
      const query = getIntrospectionQuery({ descriptions: true })
      const input = { ref, query, as: asOf(chosen, issuer) }
      return schemaOf(await call(graphqlConsole.run, input, { signal }))
    },
    staleTime: 30_000,
    retry: false,
  })

export function schemaOf({ data, errors }: GraphqlAnswer): GraphQLSchema {
  if (!data)
    throw new Error(errors?.[0]?.message ?? 'The project does not describe its GraphQL API')
  // What comes from an introspection query has its shape; building the schema checks it.
  return buildClientSchema(data as IntrospectionQuery)
}
