import { useState, type ReactNode } from 'react'
import { changeName } from '#contract/ddl/change'
import type { Endpoint } from '#contract/endpoint'
import { splitStatements } from '#contract/sql-statements'
import { CodeField } from '../ui/CodeField.tsx'
import { ObjectForm } from './ObjectForm.tsx'

/** The feature preview in which functions, triggers and policies are edited as SQL. */
export const inlineEditor = 'supabase-ui-preview-inline-editor'

type Props = {
  projectRef: string
  title: ReactNode
  /** As "Change function". */
  verb: string
  /** What it is about, for the name of the migration; empty for a new one. */
  name: string
  /** The SQL to begin with: what makes it as it is now, or a frame for a new one. */
  start: string
  /** An object that is there has to be changed before anything can run; a new one is made from its frame as it stands. */
  editing: boolean
  done: string
  forgets: readonly Endpoint[]
  onClose: () => void
}

/** The SQL of an object of the database in a panel beside its list: shown once more before it runs, and recorded. */
export function SqlPanel(props: Props) {
  const { projectRef, title, verb, name, start, editing, done, forgets, onClose } = props
  const [sql, setSql] = useState(start)
  const statements = splitStatements(sql).map(({ text }) => text)
  const same = editing && sql.trim() === start.trim()
  return (
    <ObjectForm
      projectRef={projectRef}
      size="xxlarge"
      title={title}
      verb={verb}
      done={done}
      change={
        same || statements.length === 0 ? undefined : { name: changeName(verb, name), statements }
      }
      problems={{}}
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
