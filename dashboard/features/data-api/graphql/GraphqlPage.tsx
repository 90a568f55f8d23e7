import { useQuery, useSuspenseQuery, useMutation } from '@tanstack/react-query'
import { useRef, useState, useEffect } from 'react'
import { Braces, X, BookOpen, History, Play, TextAlignStart } from 'lucide-react'
import { graphqlConsole, type GraphqlAnswer } from '#contract/data-api/graphql-console'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { projectQuery, useProject } from '../../../session/project/project.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { bytesText } from '../../../ui/text/number.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { RolePicker } from '../../../modules/roles/RolePicker.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { call, type CallError } from '../../../api/client.ts'
import { DocsPanel } from './DocsPanel.tsx'
import {
  firstDraft,
  keepDraft,
  prettified,
  putWarningAway,
  remember,
  titleOf,
  operationAt,
  useConsole,
  variablesOf,
  type Draft,
} from './document.ts'
import { GraphqlText } from './GraphqlText.tsx'
import { schemaQuery, asOf } from './queries.ts'
import type { TextBox } from './text-box.ts'
import './graphql.css'

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

type ResultPaneProps = {
  result: Result | undefined
  error: Error | null
  running: boolean
  onRetry: () => void
}

/** What the API answered, as it came. */
function ResultPane({ result, error, running, onRetry }: ResultPaneProps) {
  const box = useRef<TextBox>(undefined)
  const text = result?.text
  useEffect(() => {
    if (text !== undefined) box.current?.write(text)
  }, [text])
  return (
    <section className="gq-result" aria-label="Answer" aria-busy={running || undefined}>
      {error instanceof WrongVariables ? (
        <p className="gq-wrong" role="alert">
          {error.message}
        </p>
      ) : error ? (
        <ErrorNote what="answer" error={error} onRetry={onRetry} />
      ) : result ? (
        <>
          <div className="bar gq-foot">
            <Badge tone={result.failed ? 'danger' : 'success'}>
              {result.failed ? 'Errors' : 'Answer'}
            </Badge>
            <span className="t12 muted tn">
              {Math.round(result.ms)} ms · {bytesText(result.text.length)}
            </span>
            <span className="grow" />
            <CopyButton text={result.text} what="answer" />
          </div>
          <GraphqlText
            ref={(made) => {
              box.current = made ?? undefined
            }}
            language="json"
            label="Answer"
            text={result.text}
            readOnly
          />
        </>
      ) : (
        <EmptyState icon={Braces} title="No answer yet">
          Run a document to see what the API answers.
        </EmptyState>
      )}
    </section>
  )
}

type GraphqlBarProps = {
  projectRef: string
  as: Impersonation | undefined
  onAs: (as: Impersonation | undefined) => void
  running: boolean
  runDenial: string | undefined
  docsOpen: boolean
  onDocs: () => void
  onPrettify: () => void
  onDraft: (draft: Draft) => void
  onRun: () => void
}

const none: readonly Draft[] = []

/** What can be done with the document that is written. */
function GraphqlBar({ projectRef, as, docsOpen, ...does }: GraphqlBarProps) {
  const history = useConsole((state) => state.history[projectRef] ?? none)
  return (
    <header className="obj gq-bar">
      <h1>GraphiQL</h1>
      <span className="grow" />
      <Menu
        label="Documents that ran"
        align="end"
        trigger={
          <IconButton
            icon={History}
            label="History"
            disabledReason={history.length === 0 && 'Nothing has run in this browser yet'}
          />
        }
      >
        {history.map((draft) => (
          <MenuItem key={`${draft.query} ${draft.variables}`} onSelect={() => does.onDraft(draft)}>
            <span className="mono gq-past">{titleOf(draft.query)}</span>
          </MenuItem>
        ))}
      </Menu>
      <IconButton icon={TextAlignStart} label="Prettify" onClick={does.onPrettify} />
      <IconButton
        icon={BookOpen}
        label={docsOpen ? 'Hide the documentation' : 'Show the documentation'}
        aria-pressed={docsOpen}
        onClick={does.onDocs}
      />
      <RolePicker
        projectRef={projectRef}
        own="service_role"
        value={as}
        onChange={does.onAs}
        verb="Run as"
      />
      <Button
        variant="primary"
        icon={Play}
        keys="mod+enter"
        busy={does.running}
        disabledReason={does.runDenial}
        onClick={does.onRun}
      >
        Run
      </Button>
    </header>
  )
}

type Asked = { draft: Draft; offset: number; as: Impersonation | undefined }

/** What came back: the answer as text, how long it took in ms, and whether GraphQL found errors. */
type Result = { text: string; ms: number; failed: boolean }

class WrongVariables extends Error {
  constructor() {
    super('The variables have to be a JSON object, such as {"id": 1}.')
  }
}

/** Runs a document. What is asked while another answer is still waited for gives that one up. */
function useGraphqlRun(ref: string, issuer: string) {
  const running = useRef<AbortController>(undefined)
  const { mutate, data, error, isPending } = useMutation<Result, CallError | Error, Asked>({
    mutationFn: async ({ draft, offset, as }) => {
      running.current?.abort()
      const controller = (running.current = new AbortController())
      const variables = variablesOf(draft.variables)
      if (!variables) throw new WrongVariables()
      const operationName = operationAt(draft.query, offset)
      const since = performance.now()
      const answer = await call(
        graphqlConsole.run,
        {
          ref,
          query: draft.query,
          variables,
          as: asOf(as, issuer),
          ...(operationName === undefined ? {} : { operationName }),
        },
        { signal: controller.signal },
      )
      remember(ref, draft)
      return resultOf(answer, performance.now() - since)
    },
  })
  return { run: mutate, result: data, error, running: isPending }
}

const resultOf = (answer: GraphqlAnswer, ms: number): Result => ({
  text: JSON.stringify(answer, null, 2),
  ms,
  failed: (answer.errors ?? []).length > 0,
})
