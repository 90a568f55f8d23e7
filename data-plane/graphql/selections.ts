import {
  getArgumentValues,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

/** The fields of one place in the answer that share a key; they are the same field with the same arguments. */
export type Selected = { key: string; name: string; node: FieldNode; nodes: readonly FieldNode[] }

/** What can have fields below it: an operation or a field. */
export type Selecting = { readonly selectionSet?: SelectionSetNode | undefined }

/** Reads what a validated operation selects (specification §6.3.2, CollectFields). */
export class Selections {
  private readonly schema: GraphQLSchema
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  private readonly variables: Record<string, unknown>

  constructor(
    schema: GraphQLSchema,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    variables: Record<string, unknown>,
  ) {
    this.schema = schema
    this.fragments = fragments
    this.variables = variables
  }

  /** In the order of the answer; GraphQL's own fields, such as `__typename`, apart. */
  of(type: GraphQLObjectType, nodes: readonly Selecting[]): Selected[] {
    const found = new Map<string, FieldNode[]>()
    const visited = new Set<string>()
    for (const { selectionSet } of nodes) {
      this.collect(type, selectionSet?.selections ?? [], found, visited)
    }
    return [...found].flatMap(([key, group]) => {
      const [node] = group
      if (!node || node.name.value.startsWith('__')) return []
      return [{ key, name: node.name.value, node, nodes: group }]
    })
  }

  argumentsOf(type: GraphQLObjectType, { name, node }: Selected): Record<string, unknown> {
    const field = type.getFields()[name]
    return field ? getArgumentValues(field, node, this.variables) : {}
  }

  /** The object type of a field. */
  typeOf(name: string): GraphQLObjectType {
    // Asked for names only that the schema was built with, as object types.
    return this.schema.getType(name) as GraphQLObjectType
  }

  private collect(
    type: GraphQLObjectType,
    selections: readonly SelectionNode[],
    found: Map<string, FieldNode[]>,
    visited: Set<string>,
  ): void {
    for (const selection of selections) {
      if (!this.isIncluded(selection)) continue
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value
        found.set(key, [...(found.get(key) ?? []), selection])
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (this.applies(selection.typeCondition?.name.value, type)) {
          this.collect(type, selection.selectionSet.selections, found, visited)
        }
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        const fragment = this.fragments.get(selection.name.value)
        if (fragment && this.applies(fragment.typeCondition.name.value, type)) {
          this.collect(type, fragment.selectionSet.selections, found, visited)
        }
      }
    }
  }

  private isIncluded(node: SelectionNode): boolean {
    const skip = getDirectiveValues(GraphQLSkipDirective, node, this.variables)
    const include = getDirectiveValues(GraphQLIncludeDirective, node, this.variables)
    return skip?.['if'] !== true && include?.['if'] !== false
  }

  private applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true
    const expected = this.schema.getType(condition)
    return isAbstractType(expected) && this.schema.isSubType(expected, type)
  }
}
