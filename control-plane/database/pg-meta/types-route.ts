import { dataPlaneApi } from '#contract/data-plane-api'
import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'
import type { DataPlane } from '../../data-plane/client.ts'

/** The types of a project's database for programs, read as the login that only reads. */
export function typesRoutes({ dataPlane }: { dataPlane: DataPlane }) {
  const typesFor = async (ref: string, language: string, query: Record<string, string>) => ({
    types: await dataPlane.ask(dataPlaneApi.types, {
      params: { ref, language },
      query,
      login: 'plinth_read_only',
      as: 'plinth-types',
    }),
  })
  return [
    implement(v1.types, ({ ref, included_schemas }) =>
      typesFor(ref, 'typescript', { included_schemas, detect_one_to_one_relationships: 'true' }),
    ),
    implement(v1.otherTypes, ({ ref, language, included_schemas }) =>
      typesFor(ref, language, { included_schemas }),
    ),
  ]
}
