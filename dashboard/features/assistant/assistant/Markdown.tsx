import { Children, isValidElement, type ReactNode, Fragment, useContext, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import { useNavigate } from '@tanstack/react-router'
import {
  CircleAlert,
  LockKeyhole,
  MessageCircleQuestion,
  Play,
  Square,
  SquareTerminal,
} from 'lucide-react'
import { sqlQuery } from '#contract/database/sql/sql-query'
import { snippets } from '#contract/database/snippets'
import { RowsTable } from '../../../modules/sql/RowsTable.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { CodeBlock, highlight } from '../../../ui/text/CodeBlock.tsx'
import { messageOf, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import {
  saveResult,
  type BlockResult,
  type SqlSnippet,
} from '../../../modules/assistant/assistant-state.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { safeLink } from './links.ts'
import { useAssistant, allowChanges, useAllowsChanges, BlockContext } from './use-assistant.ts'
import { wantsChanges } from '../../../modules/assistant/block-result.ts'
import { runBlock } from '../../../modules/assistant/run-block.ts'

/**
 * An answer as Markdown. What a model writes can come from anywhere, a row of a table included: HTML stays text, images
 * are not loaded, and links lead to the Postgres manual or nowhere.
 */
export const Markdown = ({ text }: { text: string }) => (
  <ReactMarkdown components={components} urlTransform={(url) => url}>
    {text}
  </ReactMarkdown>
)

const components: Components = {
  a: ({ href, children }) => {
    const safe = safeLink(href)
    if (safe)
      return (
        <a className="link" href={safe} target="_blank" rel="noreferrer noopener">
          {children}
        </a>
      )
    return (
      <span>
        {children} <span className="mono muted">({href})</span>
      </span>
    )
  },
  img: ({ alt }) => <span className="muted">[Image{alt ? `: ${alt}` : ''}, not loaded]</span>,
  pre: ({ children, node }) => {
    const { code, language } = codeOf(children)
    // Where the block begins in the answer: the same while the rest of it is still being written.
    const at = node?.position?.start.offset ?? 0
    return /^(sql|postgres|postgresql|pgsql|plpgsql)$/.test(language) ? (
      <SqlBlock id={`sql-${at}`} sql={code} />
    ) : (
      <CodeBlock code={code} language="text" />
    )
  },
}

/** The text inside `<pre><code class="language-x">`. */
function codeOf(children: ReactNode): { code: string; language: string } {
  const [child] = Children.toArray(children)
  if (!isValidElement<{ className?: string; children?: ReactNode }>(child))
    return { code: '', language: '' }
  const { className = '', children: inside } = child.props
  const language = /language-(\S+)/.exec(className)?.[1] ?? ''
  return {
    code: (typeof inside === 'string' ? inside : '').replace(/\n$/, ''),
    language: language.toLowerCase(),
  }
}

/** SQL in an answer: it runs when a person presses Run, and only reads unless they allow more. */
function SqlBlock({ id, sql }: { id: string; sql: string }) {
  const { ref } = useAssistant()
  const block = useContext(BlockContext)
  const project = useProject(ref)
  const why = useDenials(project)
  const run = useBlockRun({ ref, id, sql })
  const reason = why(sqlQuery.run) ?? (block?.writing ? 'The answer is not complete' : undefined)
  return (
    <div className="assistant-sql">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <pre className="code" tabIndex={0} aria-label="SQL">
        {highlight(sql, 'sql').map(({ text, kind, at }) =>
          kind ? (
            <span key={at} className={kind}>
              {text}
            </span>
          ) : (
            <Fragment key={at}>{text}</Fragment>
          ),
        )}
      </pre>
      <div className="assistant-sql-bar">
        {run.running ? (
          <Button icon={Square} onClick={run.cancel}>
            Cancel
          </Button>
        ) : (
          <Button icon={Play} disabledReason={reason} onClick={() => void run.start()}>
            Run
          </Button>
        )}
        <EditButton projectRef={ref} sql={sql} />
        <span className="grow" />
        <CopyButton text={sql} what="SQL" />
      </div>
      {run.result && (
        <SqlResult
          result={run.result}
          allowed={run.allowed}
          onAllow={run.ask}
          onExplain={(text, query) => block?.onAsk(text, [query])}
        />
      )}
      {run.failure && (
        <p className="err assistant-failed" role="alert">
          {run.failure}
        </p>
      )}
      {run.asking && (
        <AllowChangesDialog
          sql={sql}
          first={!run.allowed}
          onClose={run.stopAsking}
          onRun={() => void run.confirm()}
        />
      )}
    </div>
  )
}

/** Saves the SQL as a query of the person's own and opens it. */
function EditButton({ projectRef, sql }: { projectRef: string; sql: string }) {
  const navigate = useNavigate()
  const save = useCall(snippets.put, {
    onSuccess: ({ id }) =>
      navigate({ to: '/project/$ref/sql/$id', params: { ref: projectRef, id } }),
    onError: (error) => toast.error(`The query could not be saved: ${messageOf(error)}`),
  })
  function open() {
    const id = crypto.randomUUID()
    const content = { content_id: id, sql }
    save.mutate({ ref: projectRef, id, name: 'Query from the assistant', content })
  }
  return (
    <IconButton
      icon={SquareTerminal}
      label="Edit in SQL editor"
      busy={save.isPending}
      onClick={open}
    />
  )
}

type Props = {
  sql: string
  /** Changes are not allowed in this chat yet. */
  first: boolean
  onClose: () => void
  onRun: () => void
}

/** Asks before SQL from an answer changes something, with the whole of it in view. */
function AllowChangesDialog({ sql, first, onClose, onRun }: Props) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={first ? 'Allow changes in this chat?' : 'Run this change?'}
      verb={first ? 'Allow and run' : 'Run'}
      error={undefined}
      pending={false}
      onConfirm={onRun}
    >
      <p>
        This does more than read data. A model wrote it: make sure that it does what you want. It
        runs with your permissions, and you cannot undo what it deletes from here.
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <pre className="well code assistant-statement" tabIndex={0} aria-label="Statement to run">
        {sql}
      </pre>
      {first && <p>You are asked again before every further change in this chat.</p>}
    </ConfirmDialog>
  )
}

type Block = { ref: string; id: string; sql: string }

/**
 * Running one block. It always begins as one that only reads; when Postgres refuses it as a change, its person is asked,
 * statement in view, in every case.
 */
function useBlockRun({ ref, id, sql }: Block) {
  const { update } = useAssistant()
  const block = useContext(BlockContext)
  const chatId = block?.chatId ?? ''
  const allowed = useAllowsChanges(chatId)
  const [abort, setAbort] = useState<AbortController>()
  const [failure, setFailure] = useState<string>()
  const [asking, setAsking] = useState(false)
  const kept = block?.message.results[id]
  // Another text at the same place is another block.
  const result = kept?.sql === sql ? kept : undefined

  async function run(readOnly: boolean): Promise<void> {
    const going = new AbortController()
    setAbort(going)
    setFailure(undefined)
    try {
      const made = await runBlock(ref, sql, readOnly, going.signal)
      const messageId = block?.message.id ?? ''
      update((state) => saveResult(state, chatId, messageId, id, made))
      if (readOnly && allowed && wantsChanges(made)) setAsking(true)
    } catch (error) {
      setFailure(going.signal.aborted ? 'Cancelled' : messageOf(error))
    }
    setAbort(undefined)
  }

  return {
    result,
    failure,
    allowed,
    asking,
    running: abort !== undefined,
    start: () => run(true),
    cancel: () => abort?.abort(),
    ask: () => setAsking(true),
    stopAsking: () => setAsking(false),
    confirm: () => {
      setAsking(false)
      allowChanges(chatId, true)
      return run(false)
    },
  }
}

type SqlResultProps = {
  result: BlockResult
  allowed: boolean
  onAllow: () => void
  /** Asks about the failure; the query goes along. */
  onExplain: (text: string, query: SqlSnippet) => void
}

/** What a run brought: rows, a command's own words, or why it did not run. */
function SqlResult({ result, allowed, onAllow, onExplain }: SqlResultProps) {
  if (result.error && wantsChanges(result))
    return (
      <div className="assistant-result" role="alert">
        <p className="row assistant-refused">
          <Icon of={LockKeyhole} size="s" />
          <span className="grow">
            This did not run: it does more than read, and SQL from an answer can only read.
          </span>
        </p>
        <p className="t12 muted">{result.error.message}</p>
        <Button onClick={onAllow}>{allowed ? 'Run the change…' : 'Allow changes…'}</Button>
      </div>
    )
  if (result.error) {
    const { message, code } = result.error
    return (
      <div className="assistant-result" role="alert">
        <p className="row err">
          <Icon of={CircleAlert} size="s" />
          <span className="grow">
            {message} <span className="mono">{code}</span>
          </span>
        </p>
        <Button
          icon={MessageCircleQuestion}
          onClick={() =>
            onExplain(`This query failed with “${message}” (${code}). Why, and what works?`, {
              name: 'Failed query',
              sql: result.sql,
            })
          }
        >
          Ask about this error
        </Button>
      </div>
    )
  }
  return (
    <div className="assistant-result">
      {result.columns.length > 0 && <RowsTable {...result} />}
      <p className="t12 muted assistant-count">{summary(result)}</p>
    </div>
  )
}

function summary({ command, count, columns, rows, ms }: BlockResult): string {
  const time = `${ms} ms`
  if (columns.length === 0)
    return [command, count, time].filter((part) => part !== null).join(' · ')
  const total = count ?? rows.length
  const words = total === 1 ? '1 row' : `${total} rows`
  return rows.length < total
    ? `${words}, the first ${rows.length} shown · ${time}`
    : `${words} · ${time}`
}
