import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql'
import { Badge } from '../../../ui/text/Badge.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'

type Props = { schema: GraphQLSchema | undefined; error: Error | null; onRetry: () => void }

/** What the API can do, type by type. */
export function DocsPanel({ schema, error, onRetry }: Props) {
  const [path, setPath] = useState<readonly string[]>([])
  const [words, setWords] = useState('')
  const open = (name: string) => {
    setPath([...path, name])
    setWords('')
  }
  const name = path.at(-1)
  const doc = schema && name !== undefined ? typeDoc(schema, name) : undefined
  return (
    <aside className="gq-docs" aria-label="Documentation">
      <div className="bar">
        {path.length > 0 && (
          <IconButton icon={ArrowLeft} label="Back" onClick={() => setPath(path.slice(0, -1))} />
        )}
        <SearchField label="Find a type" value={words} onChange={setWords} keys={false} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls can be scrolled by keys */}
      <section className="gq-docs-body" tabIndex={0} aria-label="Types and fields">
        {error && !schema ? (
          <ErrorNote what="documentation" error={error} onRetry={onRetry} />
        ) : !schema ? (
          <Skeleton width={200} />
        ) : words.trim() !== '' ? (
          <TypeList names={typesNamed(schema, words).map((type) => type.name)} onOpen={open} />
        ) : doc ? (
          <>
            <h2 className="gq-type">
              <span className="mono">{doc.name}</span> <Badge>{doc.kind}</Badge>
            </h2>
            {doc.description && <p className="muted">{doc.description}</p>}
            <ul className="gq-entries">
              {doc.entries.map((entry) => (
                <Entry key={entry.name} entry={entry} onOpen={open} />
              ))}
            </ul>
          </>
        ) : (
          <>
            <p className="muted">What you can query, and what you can change.</p>
            <TypeList names={rootsOf(schema)} onOpen={open} />
          </>
        )}
      </section>
    </aside>
  )
}

type OnOpen = { onOpen: (name: string) => void }

const TypeLink = ({ name, text, onOpen }: OnOpen & { name: string; text: string }) => (
  <button type="button" className="gq-link mono" onClick={() => onOpen(name)}>
    {text}
  </button>
)

function TypeList({ names, onOpen }: OnOpen & { names: readonly string[] }) {
  if (names.length === 0) return <p className="muted">No type has this name.</p>
  return (
    <ul className="gq-entries">
      {names.map((name) => (
        <li key={name}>
          <TypeLink name={name} text={name} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ entry, onOpen }: OnOpen & { entry: DocEntry }) {
  const { name, type, leadsTo, args, description, deprecated } = entry
  return (
    <li>
      <span className="mono">
        <b>{name}</b>
        {type !== undefined && leadsTo !== undefined && (
          <>
            {': '}
            <TypeLink name={leadsTo} text={type} onOpen={onOpen} />
          </>
        )}
      </span>
      {args.map((arg) => (
        <span key={arg.name} className="mono gq-arg">
          {arg.name}: <TypeLink name={arg.leadsTo} text={arg.type} onOpen={onOpen} />
        </span>
      ))}
      {description && <p className="muted">{description}</p>}
      {deprecated !== undefined && <p className="gq-deprecated">Deprecated: {deprecated}</p>}
    </li>
  )
}

/** A field, an argument or a value as the documentation shows it. */
type DocEntry = {
  name: string
  description: string
  /** As it is written: `[Book!]!`; undefined for the values of an enum. */
  type: string | undefined
  /** Where a click on the type leads. */
  leadsTo: string | undefined
  args: readonly { name: string; type: string; leadsTo: string; description: string }[]
  deprecated: string | undefined
}
type TypeDoc = { name: string; kind: string; description: string; entries: DocEntry[] }

const nameOf = (type: GraphQLType): string => getNamedType(type).name

const argOf = ({ name, type, description }: GraphQLArgument) => ({
  name,
  type: String(type),
  leadsTo: nameOf(type),
  description: description ?? '',
})

function kindOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'Type'
  if (isInputObjectType(type)) return 'Input'
  if (isEnumType(type)) return 'Enum'
  if (isInterfaceType(type)) return 'Interface'
  return isUnionType(type) ? 'Union' : 'Scalar'
}

/** What a schema says of one of its types; undefined when it has none of that name. */
export function typeDoc(schema: GraphQLSchema, name: string): TypeDoc | undefined {
  const type = schema.getType(name)
  if (!type) return undefined
  return { name, kind: kindOf(type), description: type.description ?? '', entries: entriesOf(type) }
}

function entriesOf(type: GraphQLNamedType): DocEntry[] {
  if (isEnumType(type))
    return type.getValues().map(({ name, description, deprecationReason }) => ({
      name,
      description: description ?? '',
      type: undefined,
      leadsTo: undefined,
      args: [],
      deprecated: deprecationReason ?? undefined,
    }))
  if (isUnionType(type))
    return type.getTypes().map(({ name, description }) => ({
      name,
      description: description ?? '',
      type: name,
      leadsTo: name,
      args: [],
      deprecated: undefined,
    }))
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return []
  return Object.values(type.getFields()).map((field) => ({
    name: field.name,
    description: field.description ?? '',
    type: String(field.type),
    leadsTo: nameOf(field.type),
    args: 'args' in field ? field.args.map(argOf) : [],
    deprecated: field.deprecationReason ?? undefined,
  }))
}

/** Where reading begins: what can be asked and changed. */
export const rootsOf = (schema: GraphQLSchema): string[] =>
  [schema.getQueryType()?.name, schema.getMutationType()?.name].filter((name) => name !== undefined)

/** Types whose name has the words in it, without those of introspection itself; at most so many. */
export function typesNamed(schema: GraphQLSchema, words: string, max = 100): GraphQLNamedType[] {
  const needle = words.trim().toLowerCase()
  const found: GraphQLNamedType[] = []
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || !type.name.toLowerCase().includes(needle)) continue
    if (found.push(type) === max) break
  }
  return found
}
