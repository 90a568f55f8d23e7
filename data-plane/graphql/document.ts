import {
  getOperationAST,
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { maxSelections, maxTokens, type Limits } from './limits.ts'
import { Refusal } from './refusal.ts'
import type { GraphqlRequest } from './request.ts'

export type Operation = {
  document: DocumentNode
  operation: OperationDefinitionNode
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
}

/** What a client has nested deeper than a program can follow is refused, and is no failure of ours. */
export function within<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(400, 'The request is nested too deeply')
    throw error
  }
}

/** The operation that is meant. @throws GraphQLError for a text that is no GraphQL; Refusal */
export function readOperation({ query, operationName, readOnly }: GraphqlRequest): Operation {
  const document = parse(query, { maxTokens })
  checkSelections(document)
  const operation = getOperationAST(document, operationName)
  if (!operation) {
    throw new Refusal(
      400,
      operationName === undefined
        ? 'A request with several operations, or with none, has to name one'
        : `There is no operation "${operationName}"`,
    )
  }
  if (readOnly && operation.operation !== 'query') {
    throw new Refusal(405, 'A GET can only query', { headers: { allow: 'POST' } })
  }
  const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
  return {
    document,
    operation,
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
  }
}

/** Before the rules, because one of them compares all fields with each other. */
function checkSelections(document: DocumentNode): void {
  let selections = 0
  const count = (node: SelectionNode) => {
    if (++selections <= maxSelections) return
    const message = `The document has more than ${maxSelections} fields and fragments`
    throw new GraphQLError(message, { nodes: node })
  }
  visit(document, { Field: count, FragmentSpread: count, InlineFragment: count })
}

/** What is wrong with a document, by the specification's rules and whether it may ask about the schema. */
export function problemsOf(
  schema: GraphQLSchema,
  { document }: Operation,
  { introspection }: Limits,
): readonly GraphQLError[] {
  const rules = introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  // A suggestion names what is there, which whoever may not look at the schema is not told.
  return validate(schema, document, rules, { maxErrors: 10, hideSuggestions: !introspection })
}
