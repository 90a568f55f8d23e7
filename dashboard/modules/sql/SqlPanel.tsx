import { useState, type ReactNode } from 'react'
import { changeName } from '#contract/ddl/change'
import type { Endpoint } from '#contract/endpoint'
import { splitStatements } from '#contract/database/sql/sql-statements'
import { CodeField } from '../../ui/controls/CodeField.tsx'
import { ObjectForm, panelTitle, panelVerb } from '../objects/ObjectForm.tsx'

/** The feature preview in which functions, triggers and policies are edited as SQL. */
export const inlineEditor = 'supabase-ui-preview-inline-editor'

type Props = {
  projectRef: string
  /** As "function". */
  kind: string
  /** Of the one that is changed: it has to be before anything can run. A new one is made from its frame as it stands. */
  name: string | undefined
  /** Where its name says too little. */
  title?: ReactNode
  /** What it is about, for the name of the migration, where that is not its name. */
  about?: string
  /** The SQL to begin with: what makes it as it is now, or a frame for a new one. */
  start: string
  done: string
  forgets: readonly Endpoint[]
  onClose: () => void
}

/** The SQL of an object of the database in a panel beside its list: shown once more before it runs, and recorded. */
export function SqlPanel(props: Props) {
  const { projectRef, kind, name, title, about = name ?? '', start, done, forgets, onClose } = props
  const [sql, setSql] = useState(start)
  const statements = splitStatements(sql).map(({ text }) => text)
  const editing = name !== undefined
  const same = editing && sql.trim() === start.trim()
  return (
    <ObjectForm
      projectRef={projectRef}
      size="xxlarge"
      title={title ?? panelTitle(kind, name)}
      review="Review SQL"
      asked={
        same || statements.length === 0
          ? undefined
          : {
              change: { name: changeName(editing ? 'change' : 'create', kind, about), statements },
              verb: panelVerb(kind, editing),
              done,
            }
      }
      forgets={forgets}
      onClose={onClose}
    >
      {() => (
        <CodeField
          label="SQL"
          help="All statements run in one transaction, or none of them."
          isProgram
          lines={[16, 32]}
          value={sql}
          onValue={setSql}
        />
      )}
    </ObjectForm>
  )
}
