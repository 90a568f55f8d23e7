import { useSuspenseQuery } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import { useState } from 'react'
import type { Query } from '#contract/database/snippets'
import { profileQuery } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import type { LogDialect } from './kept-queries.ts'
import { SaveQueryDialog } from './SaveQueryDialog.tsx'
import { dialectOf, useSaveQuery } from './saved-queries.ts'

type Props = {
  projectRef: string
  saved: Query | undefined
  sql: string
  dialect: LogDialect
  onSaved: (id: string) => void
}

/** Keeps the text: as the query that is open, if it is one's own, or as a new one. */
export function SaveButton({ projectRef, saved, sql, dialect, onSaved }: Props) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const [isNaming, setNaming] = useState(false)
  const own = saved?.owner_id === profile.id ? saved : undefined
  const done = (id: string) => {
    toast.success('The query was saved')
    onSaved(id)
  }
  const change = useSaveQuery(projectRef, done, ({ message }) =>
    toast.error(`The query could not be saved: ${message}`),
  )
  const isSame = saved !== undefined && saved.content.sql === sql && dialectOf(saved) === dialect
  const reason =
    sql.trim() === '' ? 'There is no query to save' : isSame ? 'It is saved as it is' : undefined
  return (
    <>
      <Button
        icon={Save}
        busy={change.isPending}
        disabledReason={reason}
        onClick={() => (own ? change.save({ ...own, sql, dialect }) : setNaming(true))}
      >
        {own ? 'Save changes' : saved ? 'Save a copy' : 'Save'}
      </Button>
      {isNaming && (
        <SaveQueryDialog
          projectRef={projectRef}
          query={{
            id: crypto.randomUUID(),
            name: saved?.name ?? '',
            description: saved?.description ?? null,
            visibility: 'user',
            sql,
            dialect,
            revision: 0,
          }}
          onSaved={done}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}
