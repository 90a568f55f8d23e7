import { buildSchema, type Built } from './build-schema.ts'
import { loadDetails } from '../details.ts'
import { readModel } from '../read-model.ts'
import type { CachedSchema, Service } from '../service.ts'

/**
 * GraphQL schemas by role and exposed schema. They hang on what the schema cache holds, and go with it when that is
 * loaded anew, which also a GRANT, a REVOKE and a comment bring about.
 */
export function createSchemas() {
  const all = new WeakMap<CachedSchema, Map<string, Promise<Built>>>()

  /** Rejects with a Refusal where the role cannot be taken or the database not be reached. */
  return function schemaOf<S extends CachedSchema>(service: Service<S>, schema: S): Promise<Built> {
    const ofSchema = all.get(schema) ?? new Map<string, Promise<Built>>()
    all.set(schema, ofSchema)
    const key = JSON.stringify([service.role, service.profile])
    const found = ofSchema.get(key)
    if (found) return found
    const made = loadDetails(service, schema).then((details) =>
      buildSchema(readModel(service.profile, schema, details)),
    )
    ofSchema.set(key, made)
    // What has failed is tried again by the next request.
    made.catch(() => ofSchema.delete(key))
    return made
  }
}
