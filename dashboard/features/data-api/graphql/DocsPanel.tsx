import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { GraphQLSchema } from 'graphql'
import { Badge } from '../../../ui/text/Badge.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { rootsOf, typeDoc, typesNamed, type DocEntry } from './docs.ts'

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
