import { useState, type ReactNode } from 'react'
import { longestName, sqlOf, type Change } from '#contract/ddl/change'
import { migrations, type Migration } from '#contract/database/migrations'
import type { Read } from '../../api/client.ts'
import { Alert } from '../../ui/Alert.tsx'
import { CodeBlock } from '../../ui/text/CodeBlock.tsx'
import { TypeName } from '../../ui/floats/ConfirmDialog.tsx'
import { FormDialog } from '../../ui/floats/FormDialog.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import { useDatabaseCall } from '../../session/project/database.ts'
import { toast } from '../../ui/floats/toast.ts'

type Props = {
  projectRef: string
  /** Closed while undefined. */
  change: Change | undefined
  title: ReactNode
  /** The verb on the button, as "Create index". */
  verb: string
  danger?: boolean
  /** The name to type before the button works: for tables, schemas and whatever takes rows along. */
  typeName?: string
  onClose: () => void
  /** What reads what it changes. */
  changes: readonly Read[]
  /** Leaves the page of what is gone, before anything is read again. */
  onAnswer?: (() => unknown) | undefined
  /** The change is made and recorded, and the page knows it. */
  onDone: (migration: Migration) => unknown
  /** What happens and what is lost, above the SQL. */
  children?: ReactNode
}

/** Shows a change of the structure as SQL, carries it out and records it as a migration with a name. */
export function ReviewChange(props: Props) {
  return props.change ? <OpenReview {...props} change={props.change} /> : null
}

function OpenReview(props: Props & { change: Change }) {
  const [sent, setSent] = useState(props)
  const [name, setName] = useState(props.change.name)
  const [typed, setTyped] = useState('')
  const run = useDatabaseCall(migrations.change, {
    onAnswer: () => props.onAnswer?.(),
    changes: [migrations.list, ...props.changes],
    onSuccess: props.onDone,
  })
  // While it is carried out, what was sent stays: what it was made from is being read again.
  const { projectRef, change, title, verb, danger, typeName, onClose, children } = run.isPending
    ? sent
    : props
  const { statements, inverse, transaction = true } = change
  const badName = /^[a-z0-9_]+$/.test(name)
    ? undefined
    : 'Lower-case letters, digits and underscores'
  const ready = !badName && (typeName === undefined || typed.trim() === typeName)
  function submit() {
    setSent(props)
    run.mutate({ ref: projectRef, name, statements, transaction, ...(inverse ? { inverse } : {}) })
  }
  return (
    <FormDialog
      size="xlarge"
      title={title}
      verb={verb}
      danger={danger ?? false}
      disabled={!ready}
      pending={run.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="form-stack">
        {children}
        <CodeBlock code={sqlOf(statements)} language="sql" what="SQL" />
        {inverse && inverse.length > 0 && (
          <details className="review-inverse">
            <summary>SQL that undoes it</summary>
            <CodeBlock code={sqlOf(inverse)} language="sql" what="SQL that undoes it" />
          </details>
        )}
        <TextField
          label="Migration name"
          mono
          autoComplete="off"
          maxLength={longestName}
          help="The change is recorded under this name, so that you can repeat it elsewhere."
          error={badName}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {typeName !== undefined && <TypeName name={typeName} typed={typed} onTyped={setTyped} />}
        {run.error && <Alert variant="danger" title={run.error.message} />}
      </div>
    </FormDialog>
  )
}

export type Asked = {
  change: Change
  /** Of the dialog, where the verb on its button is not enough. */
  title?: ReactNode
  verb: string
  danger?: boolean
  typeName?: string
  /** What the toast says afterwards. */
  done: string
  onDone?: () => void
  /** Leaves the page of what is gone, before anything is read again. */
  onAnswer?: () => unknown
  children?: ReactNode
}

/**
 * `ask` shows a change of the structure and carries it out when the person agrees; what these endpoints have told is then
 * read again. `dialog` goes at the end of the page.
 */
export function useReview(projectRef: string, ...changes: Read[]) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const dialog = asked && (
    <ReviewChange
      projectRef={projectRef}
      change={asked.change}
      title={asked.title ?? asked.verb}
      verb={asked.verb}
      {...(asked.danger ? { danger: true } : {})}
      {...(asked.typeName === undefined ? {} : { typeName: asked.typeName })}
      onClose={close}
      changes={changes}
      onAnswer={asked.onAnswer}
      onDone={() => {
        toast.success(asked.done)
        asked.onDone?.()
        close()
      }}
    >
      {asked.children}
    </ReviewChange>
  )
  return { ask: setAsked, dialog }
}
