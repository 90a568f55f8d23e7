import type { Answer } from '../answers/answer.ts'
import type { Incoming } from './incoming.ts'
import type { Serving } from './prepared.ts'
import { MissingProblem, findRelation } from '../plan/resolve.ts'

/** OPTIONS: what the resource can do, whoever asks. Browsers' preflights are answered before they come here. */
export function answerOptions(incoming: Incoming, serving: Serving): Answer {
  const allow = allowed(incoming, serving)
  return { status: 200, headers: { allow: allow.join(',') }, body: undefined }
}

function allowed({ resource, profile }: Incoming, { schema }: Serving): string[] {
  switch (resource.kind) {
    case 'root':
      return ['OPTIONS', 'GET', 'HEAD']
    case 'function': {
      const overloads = schema.functions.get(profile)?.get(resource.name)
      if (!overloads) {
        const message = `Could not find the function ${profile}.${resource.name} in the schema cache`
        throw new MissingProblem(404, 'PGRST202', message)
      }
      return overloads.every((fn) => fn.volatile)
        ? ['OPTIONS', 'POST']
        : ['OPTIONS', 'GET', 'HEAD', 'POST']
    }
    case 'relation': {
      const relation = findRelation(schema, profile, resource.name)
      const verbs = ['OPTIONS', 'GET', 'HEAD']
      if (relation.insertable) verbs.push('POST')
      if (relation.insertable && relation.updatable && relation.primaryKey.length > 0) {
        verbs.push('PUT')
      }
      if (relation.updatable) verbs.push('PATCH')
      if (relation.deletable) verbs.push('DELETE')
      return verbs
    }
    default:
      return resource satisfies never
  }
}
