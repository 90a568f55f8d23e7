import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { DiagramLayout } from '#contract/database/diagram-layouts'
import { SchemaSelect } from '../../../modules/objects/SchemaSelect.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { placesQuery } from './places.ts'
import { diagramQuery, layoutQuery, type DiagramData } from './queries.ts'
import '../../../ui/lists/objects.css'
import './visualizer.css'

const Diagram = lazy(() => import('./Diagram.tsx').then((m) => ({ default: m.Diagram })))

type Props = { projectRef: string; schema: string; onSchema: (schema: string) => void }

/** /project/{ref}/database/schemas */
export function VisualizerPage({ projectRef, schema, onSchema }: Props) {
  const diagram = useQuery({
    ...diagramQuery(projectRef, schema),
    // What is being looked at does not jump.
    refetchOnWindowFocus: false,
  })
  const layout = useQuery({ ...layoutQuery(projectRef, schema), refetchOnWindowFocus: false })
  const [round, setRound] = useState(0)
  const failed = diagram.error ?? layout.error
  return (
    <main className="main diagram-page" id="main">
      <header className="obj">
        <h1>Schema visualizer</h1>
        <SchemaSelect projectRef={projectRef} schema={schema} onSchema={onSchema} />
        {diagram.data && (
          <span className="muted t12">
            {diagram.data.total > diagram.data.tables.length
              ? `${diagram.data.tables.length} of ${diagram.data.total} tables`
              : `${diagram.data.total} tables`}
          </span>
        )}
      </header>
      {failed && !(diagram.data && layout.data) ? (
        <ErrorNote
          what="tables"
          error={failed}
          onRetry={() => void Promise.all([diagram.refetch(), layout.refetch()])}
        />
      ) : !diagram.data || !layout.data ? (
        <Waiting />
      ) : diagram.data.tables.length === 0 ? (
        <EmptyState
          icon={Workflow}
          title="No tables yet"
          action={
            <Link
              className="btn"
              to="/project/$ref/editor/new"
              params={{ ref: projectRef }}
              search={{ schema }}
            >
              New table
            </Link>
          }
        >
          A diagram of {schema} shows its tables and the keys between them.
        </EmptyState>
      ) : (
        <Placed
          key={`${round} ${versionOf(diagram.data)}`}
          projectRef={projectRef}
          schema={schema}
          data={diagram.data}
          layout={layout.data}
          onReset={() => setRound(round + 1)}
        />
      )}
    </main>
  )
}

/** Equal answers are the same object, so a new one is another diagram and begins anew. */
const versions = new WeakMap<DiagramData, number>()
let lastVersion = 0
function versionOf(data: DiagramData): number {
  const known = versions.get(data) ?? (lastVersion += 1)
  versions.set(data, known)
  return known
}

type PlacedProps = {
  projectRef: string
  schema: string
  data: DiagramData
  layout: { own: DiagramLayout | null; shared: DiagramLayout | null }
  onReset: () => void
}

function Placed({ projectRef, schema, data, layout, onReset }: PlacedProps) {
  // What is saved meanwhile is where things stand already.
  const [kept] = useState(layout.own ?? layout.shared)
  const places = useQuery(placesQuery(projectRef, schema, data, kept))
  if (places.error)
    return <ErrorNote what="diagram" error={places.error} onRetry={() => void places.refetch()} />
  if (!places.data) return <Waiting />
  return (
    <Suspense fallback={<Waiting />}>
      <Diagram
        projectRef={projectRef}
        schema={schema}
        data={data}
        places={places.data}
        hasOwn={layout.own !== null}
        hasShared={layout.shared !== null}
        onReset={onReset}
      />
    </Suspense>
  )
}

function Waiting() {
  return (
    <div className="diagram-waiting" aria-busy>
      {[0, 1, 2].map((at) => (
        <Skeleton key={at} width={264} />
      ))}
    </div>
  )
}
