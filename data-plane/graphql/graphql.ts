import { restrictionErrors, type Restriction } from '../projects/restriction.ts'
import { execute, getVariableValues, GraphQLError } from 'graphql'
import { errors } from '#contract/errors'
import type { Built } from './schema/build-schema.ts'
import { problemsOf, readOperation, within, type Operation } from './document.ts'
import { limitsOf, type Limits } from './limits.ts'
import type { RootPlan } from './plan.ts'
import { planOperation } from './plan-operation.ts'
import { Refusal } from './refusal.ts'
import { readRequest, type GraphqlRequest, type HttpRequest } from './request.ts'
import { createSchemas } from './schema/schemas.ts'
import { Selections } from './selections.ts'
import type { CachedSchema, Service } from './service.ts'
import { shape, typeName } from './shape.ts'
import { refusalOf, resultOf, statementOf } from './sql/statements.ts'

/** `body` is GraphQL's own: `{data, errors}`. */
export type Answer = { status: number; body: object }

export type Graphql = ReturnType<typeof createGraphql>

/** The service of all projects; it keeps the GraphQL schemas that it has made. */
export function createGraphql() {
  const schemaOf = createSchemas()
  return {
    /** Answers one request. @throws Refusal when nothing of it can be executed; anything else is a bug */
    serve: <S extends CachedSchema>(service: Service<S>, http: HttpRequest): Promise<Answer> =>
      serve(service, http, schemaOf),
  }
}

async function serve<S extends CachedSchema>(
  service: Service<S>,
  http: HttpRequest,
  schemaOf: ReturnType<typeof createSchemas>,
): Promise<Answer> {
  const request = await readRequest(http)
  let operation: Operation
  try {
    operation = within(() => readOperation(request))
  } catch (error) {
    if (error instanceof GraphQLError) return { status: 400, body: { errors: [error] } }
    throw error
  }
  const { restriction } = service
  if (restriction === 'all' && operation.operation.operation !== 'query')
    throw new Restricted(restriction)
  const schema = await service.schema()
  const { current, built, problems } = await checked(service, schema, operation, schemaOf)
  if (problems.length > 0) return answer({ errors: problems })
  return answer(await run(service, current, built, operation, request))
}

const answer = (body: object): Answer => ({ status: 200, body })

/** What is not there may have been made a moment ago: a document with mistakes is held against a newer schema too. */
async function checked<S extends CachedSchema>(
  service: Service<S>,
  schema: S,
  operation: Operation,
  schemaOf: ReturnType<typeof createSchemas>,
) {
  const check = async (current: S) => {
    const built = await schemaOf(service, current)
    const problems = within(() => problemsOf(built.schema, operation, limitsOf(current)))
    return { current, built, problems }
  }
  const first = await check(schema)
  if (first.problems.length === 0) return first
  const newer = await service.caughtUp(schema)
  return newer ? check(newer) : first
}

/** Plans everything before anything is run, and runs it as one transaction. */
async function run<S extends CachedSchema>(
  service: Service<S>,
  schema: S,
  built: Built,
  operation: Operation,
  request: GraphqlRequest,
): Promise<object> {
  let plans: readonly RootPlan[] = []
  const found: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  try {
    plans = within(() => plansOf(built, operation, request, limitsOf(schema)))
    const readOnly = operation.operation.operation === 'query'
    // What a field does is known by what it is in the schema; a function may have the name of something that deletes.
    if (service.restriction && !readOnly && plans.some(({ kind }) => kind !== 'delete'))
      throw new Restricted(service.restriction)
    const statements = within(() => plans.map(statementOf))
    const refuse = refusalOf(plans)
    const results =
      plans.length === 0 ? [] : await service.run(schema, { statements, readOnly, refuse })
    for (const [i, plan] of plans.entries()) found[plan.key] = shape(plan, resultOf(results[i]))
  } catch (error) {
    if (error instanceof Restricted) throw error
    if (error instanceof VariableErrors) return { errors: error.list }
    return { data: null, errors: [executionError(error, plans)] }
  }
  return execute({
    schema: built.schema,
    document: operation.document,
    operationName: request.operationName,
    variableValues: request.variables,
    rootValue: found,
    // Everything has been read already, and stands under the names of the answer.
    fieldResolver: (source: Record<string, unknown>, _args, _context, { path }) => source[path.key],
    typeResolver: (value) => (value as { [typeName]: string })[typeName],
  })
}

/** The organization may not change anything, or not in this way. */
class Restricted extends Refusal {
  constructor(restriction: Restriction) {
    const code = restrictionErrors[restriction]
    const { status, message } = errors[code]
    super(status, message, { code })
  }
}

class VariableErrors extends Error {
  readonly list: readonly GraphQLError[]

  constructor(list: readonly GraphQLError[]) {
    super('The variables do not have the types that the operation says')
    this.list = list
  }
}

function plansOf(
  built: Built,
  { operation, fragments }: Operation,
  { variables }: GraphqlRequest,
  limits: Limits,
): RootPlan[] {
  const type = built.schema.getRootType(operation.operation)
  if (!type) {
    throw new GraphQLError(`There is no ${operation.operation} here`, { nodes: operation })
  }
  const { coerced, errors: wrong } = getVariableValues(
    built.schema,
    operation.variableDefinitions ?? [],
    variables,
    { maxErrors: 10, hideSuggestions: !limits.introspection },
  )
  if (!coerced) throw new VariableErrors(wrong)
  const selections = new Selections(built.schema, fragments, coerced)
  return planOperation(built, operation, type, selections, limits)
}

/** Statuses that speak of the database as a whole, and not of what was asked. */
const unreachable = new Set([503, 504])

/** What the database says of one field alone can be told apart; of several fields one has failed, and with it all. */
function executionError(error: unknown, plans: readonly RootPlan[]): GraphQLError {
  if (error instanceof GraphQLError) return error
  if (!(error instanceof Refusal) || unreachable.has(error.status)) throw error
  const [plan, second] = plans
  const place = plan && !second ? { nodes: plan.node, path: [plan.key] } : {}
  return new GraphQLError(error.message, { ...place, extensions: error.extensions() })
}
