import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { graphqlConsole } from '#contract/data-api/graphql-console'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { firstDraft, keepDraft, useConsole, type Draft, putWarningAway } from './console-state.ts'
import { DocsPanel } from './DocsPanel.tsx'
import { prettified } from './document.ts'
import { GraphqlBar } from './GraphqlBar.tsx'
import { GraphqlText } from './GraphqlText.tsx'
import { schemaQuery } from './queries.ts'
import { ResultPane } from './ResultPane.tsx'
import type { TextBox } from './text-box.ts'
import { useGraphqlRun } from './use-graphql-run.ts'
import './graphql.css'
import { X } from 'lucide-react'
import { IconButton } from '../../../ui/controls/IconButton.tsx'

type Props = { projectRef: string }

/** /project/{ref}/api/graphiql and /project/{ref}/database/graphiql: GraphQL written, run and read. */
export function GraphqlPage({ projectRef }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const issuer = `${project.endpoint}/auth/v1`
  const [as, setAs] = useState<Impersonation>()
  const [docsOpen, setDocsOpen] = useState(false)
  const [first] = useState(() => useConsole.getState().drafts[projectRef] ?? firstDraft)
  const draft = useRef<Draft>(first)
  const query = useRef<TextBox>(undefined)
  const variables = useRef<TextBox>(undefined)
  const denied = useDenials(useProject(projectRef))(graphqlConsole.run)
  const schema = useQuery({ ...schemaQuery(projectRef, issuer, as), enabled: !denied })
  const { run, result, error, running } = useGraphqlRun(projectRef, issuer)

  function edit(change: Partial<Draft>) {
    draft.current = { ...draft.current, ...change }
    keepDraft(projectRef, draft.current)
  }
  function runNow() {
    if (!denied) run({ draft: draft.current, offset: query.current?.offset() ?? 0, as })
  }
  function prettify() {
    const found = prettified(draft.current.query)
    if ('text' in found) query.current?.write(found.text)
    else toast.info('The document was not changed', { description: found.reason })
  }
  return (
    <main className="main gq" id="main">
      <GraphqlBar
        projectRef={projectRef}
        as={as}
        onAs={setAs}
        running={running}
        runDenial={denied}
        docsOpen={docsOpen}
        onDocs={() => setDocsOpen(!docsOpen)}
        onPrettify={prettify}
        onDraft={(past) => {
          query.current?.write(past.query)
          variables.current?.write(past.variables)
        }}
        onRun={runNow}
      />
      {!as && <SecretKeyWarning />}
      <div className="gq-work" data-docs={docsOpen || undefined}>
        <section className="gq-write" aria-label="Document">
          <GraphqlText
            ref={(box) => {
              query.current = box ?? undefined
            }}
            language="graphql"
            label="GraphQL document"
            text={first.query}
            schema={() => schema.data}
            onText={(text) => edit({ query: text })}
            onRun={runNow}
          />
          <div className="bar gq-variables">
            <h2 className="t12">Variables</h2>
          </div>
          <GraphqlText
            ref={(box) => {
              variables.current = box ?? undefined
            }}
            language="json"
            label="Variables as JSON"
            placeholder='{"id": 1}'
            text={first.variables}
            onText={(text) => edit({ variables: text })}
            onRun={runNow}
          />
        </section>
        <ResultPane result={result} error={error} running={running} onRetry={runNow} />
        {docsOpen && (
          <DocsPanel
            schema={schema.data}
            error={schema.error}
            onRetry={() => void schema.refetch()}
          />
        )}
      </div>
    </main>
  )
}

/** Said until it was put away once in this browser. */
function SecretKeyWarning() {
  const warned = useConsole((state) => state.warned)
  if (warned) return null
  return (
    <div className="gq-warning" role="note">
      <span>
        <b>Documents run with the secret key.</b> Row level security does not apply to them. Choose
        another role to see what your users see.
      </span>
      <IconButton icon={X} iconSize="s" label="Don't warn me again" onClick={putWarningAway} />
    </div>
  )
}
