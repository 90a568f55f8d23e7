import { queryOptions, useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Query } from '#contract/database/snippets'
import { logFunctions } from '#contract/observability/log-functions'
import { logs } from '#contract/observability/logs'
import { call, CallError } from '../../../api/client.ts'
import { aboutQuery, asked } from '../../../modules/logs/asked.ts'
import { EngineMissing } from '../../../modules/logs/LogsFailed.tsx'
import {
  choiceOf,
  day,
  keptMs,
  rangeOf,
  type Range,
  type RangeChoice,
} from '../../../modules/logs/range.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { useContent } from '../../../session/organization/mode.ts'
import { Alert } from '../../../ui/Alert.tsx'
import type { CodeBox } from '../../../ui/code/code-box.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { NotFound } from '../../../ui/NotFound.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { useNow } from '../../../ui/text/Time.tsx'
import { addressable, type ExplorerParams } from './explorer-params.ts'
import { firstQuery, otherDialect } from './first-query.ts'
import {
  ExplorerBar,
  FieldReference,
  askedSources,
  referenceOf,
  sourcesIn,
} from './ExplorerBar.tsx'
import { keepDraft, rememberQuery, type LogDialect } from './kept-queries.ts'
import { Results } from './Results.tsx'
import { dialectOf, SaveButton, savedQueryQuery } from './SaveQueryDialog.tsx'
import './logs-explorer.css'

type Props = {
  projectRef: string
  params: ExplorerParams
  /** The saved query that is open. */
  saved?: Query
  onParams: (params: ExplorerParams) => void
}

/** What was asked, and when: the range is counted from there. */
type Run = { sql: string; dialect: LogDialect; choice: RangeChoice; now: number }

/** From how long a range on a query may take more than there is time for. */
const longRange = 4 * day

/** /project/{ref}/logs/explorer: logs asked in SQL. */
export function ExplorerPage({ projectRef, params, saved, onParams }: Props) {
  const { logs_default_query: ownQuery } = useContent()
  const withMetadata = !useDisabledFeatures()('logs:metadata')
  const dialect = params.dialect ?? (saved ? dialectOf(saved) : 'analytics')
  const [text, setText] = useState(() =>
    saved && params.q === undefined ? saved.content.sql : firstQuery(projectRef, params, ownQuery),
  )
  const [address, setAddress] = useState(params.q)
  const clock = useNow().getTime()
  const [run, setRun] = useState<Run | undefined>(() =>
    params.q === undefined
      ? undefined
      : { sql: params.q, dialect, choice: params, now: Date.now() },
  )
  if (address !== params.q) {
    // Another query came with the address, as by the browser's way back.
    setAddress(params.q)
    if (params.q !== undefined && params.q !== run?.sql) {
      setText(params.q)
      setRun({ sql: params.q, dialect, choice: params, now: clock })
    }
  }
  useEffect(() => {
    if (run) rememberQuery(projectRef, { sql: run.sql, dialect: run.dialect, at: run.now })
  }, [projectRef, run])
  const [hasReference, setReference] = useState(false)
  const box = useRef<CodeBox>(undefined)
  const setBox = useCallback((next: CodeBox | undefined) => {
    box.current = next
  }, [])
  const about = useQuery(aboutQuery(projectRef))
  const hasEngine = about.data?.engine !== false
  const kept = about.data ? keptMs('edge_logs', about.data.retention_days) : Infinity
  const [opened] = useState(() => Date.now())
  const range = rangeOf(params, run?.now ?? opened, kept)
  const question = useMemo(
    () =>
      run && {
        ref: projectRef,
        sql: run.sql,
        dialect: run.dialect,
        range: rangeOf(run.choice, run.now, kept),
        now: run.now,
      },
    [projectRef, run, kept],
  )
  const answer = useQuery({
    ...answerQuery(question, kept),
    enabled: question !== undefined && hasEngine && about.isFetched,
  })

  const write = (sql: string, of: LogDialect = dialect) => {
    setText(sql)
    keepDraft(projectRef, { sql, dialect: of })
  }
  const ask = (next: ExplorerParams) => {
    const now = Date.now()
    keepDraft(projectRef, { sql: text, dialect })
    setRun({ sql: text, dialect, choice: next, now })
    onParams({ ...next, q: addressable(text) })
  }
  const chooseRange = ({ range: preset, from, to }: RangeChoice) => {
    const next = { ...params, range: preset, from, to }
    if (run) ask(next)
    else onParams(next)
  }
  const chooseDialect = (next: LogDialect) => {
    if (next === dialect) return
    const sql = otherDialect(text, next, ownQuery)
    if (sql !== text) write(sql, next)
    const other = next === 'columns' ? next : undefined
    onParams({ ...params, saved: undefined, q: undefined, dialect: other })
  }
  const insert = (words: string) => box.current?.insert(words, ';')
  const words = () => Promise.resolve(wordsFor(text, dialect, withMetadata))
  const isAsked = question?.sql === text && question.dialect === dialect
  const refusal = isAsked ? refusalOf(answer.error) : undefined
  const blank = text.trim() === '' ? 'There is no query to run' : undefined
  return (
    <main className="main lx-page" id="main">
      <div className="wrap">
        <PageHead
          title={saved?.name ?? 'Logs explorer'}
          help={saved?.description ?? 'Query the logs of this project with SQL.'}
        />
        <div className="lx-split">
          <div className="lx-column">
            <ExplorerBar
              {...{ dialect, params, range, kept, hasReference }}
              onDialect={chooseDialect}
              onSource={(source) => insert(dialect === 'columns' ? `source = '${source}'` : source)}
              onReference={() => setReference(!hasReference)}
              onRange={chooseRange}
              save={
                <SaveButton
                  {...{ projectRef, saved, dialect }}
                  sql={text}
                  onSaved={(id) => onParams({ ...params, saved: id })}
                />
              }
              run={
                <Button
                  variant="primary"
                  icon={Play}
                  keys="mod+enter"
                  busy={answer.isFetching}
                  disabledReason={hasEngine ? blank : 'This platform cannot search logs'}
                  onClick={() => ask(params)}
                >
                  Run
                </Button>
              }
            />
            {range.to - range.from > longRange && (
              <Alert variant="warning" title="This is a long time range">
                A query over more than 4 days can take longer than the 10 seconds it has. Narrow the
                range if it does.
              </Alert>
            )}
            <Form
              className="lx-editor"
              error={undefined}
              pending={answer.isFetching || blank !== undefined || !hasEngine}
              onSubmit={() => ask(params)}
            >
              <CodeField
                label="Query"
                error={refusal}
                isProgram
                lines={[7, 12]}
                value={text}
                onValue={write}
                onBox={setBox}
                words={words}
                dialect={{ functions: logFunctions[dialect], hasPaths: dialect === 'analytics' }}
              />
            </Form>
            {hasEngine ? (
              <Results
                answer={answer.data}
                // What was asked is known by when.
                key={run?.now}
                error={answer.error}
                isRefused={refusalOf(answer.error) !== undefined}
                isRunning={answer.isFetching}
                wasAsked={run !== undefined}
                view={params.view ?? 'table'}
                onView={(view) =>
                  onParams({ ...params, view: view === 'chart' ? view : undefined })
                }
                onRetry={() => ask(params)}
                onLastHour={() => chooseRange({ range: '1h' })}
              />
            ) : (
              <EngineMissing />
            )}
          </div>
          <FieldReference
            open={hasReference}
            named={sourcesIn(text)}
            {...{ dialect, withMetadata }}
            onInsert={insert}
            onClose={() => setReference(false)}
          />
        </div>
      </div>
    </main>
  )
}

const refusalOf = (error: Error | null): string | undefined =>
  error instanceof CallError && error.reason === 'logs_query_refused' ? error.message : undefined

/** Names to offer: sources, and the fields of those that the query names. */
function wordsFor(sql: string, dialect: LogDialect, withMetadata: boolean) {
  const named = sourcesIn(sql)
  const fields = (named.length > 0 ? named : askedSources).flatMap((source) =>
    referenceOf(source, dialect, withMetadata).map(({ name, type, insert }) => ({
      label: name,
      insert,
      about: type,
    })),
  )
  const known = new Map(fields.map((word) => [word.insert, word]))
  const tables = dialect === 'columns' ? ['logs', ...askedSources] : askedSources
  return [
    ...known.values(),
    ...tables.map((name) => ({ label: name, insert: name, about: 'source' })),
  ]
}

type SavedQueryProps = {
  projectRef: string
  params: ExplorerParams & { saved: string }
  onParams: (params: ExplorerParams) => void
}

/** The explorer with a query that somebody has saved. */
export function SavedQuery({ projectRef, params, onParams }: SavedQueryProps) {
  const query = useQuery(savedQueryQuery(projectRef, params.saved))
  if (query.data) return <ExplorerPage saved={query.data} {...{ projectRef, params, onParams }} />
  if (!query.error) return <Page>{null}</Page>
  if (query.error instanceof CallError && [400, 404].includes(query.error.code))
    return <NotFound action={<Button onClick={() => onParams({})}>Open the explorer</Button>} />
  return (
    <Page>
      <PageHead title="Logs explorer" />
      <ErrorNote what="The query" error={query.error} onRetry={() => void query.refetch()} />
    </Page>
  )
}

type LogQuestion = {
  ref: string
  sql: string
  dialect: LogDialect
  range: Range
  /** When it was asked: the same again is asked anew. */
  now: number
}

/** What a query answers. `kept`: for how long entries are kept, in milliseconds. */
const answerQuery = (question: LogQuestion | undefined, kept: number) =>
  queryOptions({
    ...asked,
    queryKey: [logs.query.name, question],
    queryFn: ({ signal }) => {
      if (!question) throw new Error('No query was asked')
      const { ref, sql, dialect, range } = question
      // A moment has passed since the question was made: what is not kept any more cannot be asked for.
      const since = Date.now() - kept
      const from = range.to > since ? Math.max(range.from, since) : range.from
      return call(
        logs.query,
        { ref, sql, dialect, ...choiceOf({ from, to: range.to }) },
        { signal },
      )
    },
    // A query that is wrong or too much is so the next moment, too.
    retry: (failures, error) =>
      !(error instanceof CallError && error.reason?.startsWith('logs_')) &&
      asked.retry(failures, error),
  })
