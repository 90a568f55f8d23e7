import { infiniteQueryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { Save } from 'lucide-react'
import { useState } from 'react'
import { isQuery, snippets, type Query } from '#contract/database/snippets'
import type { Output } from '#contract/endpoint'
import { call, CallError, fresh, useCall } from '../../../api/client.ts'
import { profileQuery } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import type { LogDialect } from './kept-queries.ts'

type Props = {
  projectRef: string
  /** What is saved; without a name when it is new. */
  query: Kept
  onSaved: (id: string) => void
  onClose: () => void
}

const longestName = 200
const longestDescription = 2000

/** Names a query of logs, says what it is for and who sees it. */
export function SaveQueryDialog({ projectRef, query, onSaved, onClose }: Props) {
  const [name, setName] = useState(query.name)
  const [description, setDescription] = useState(query.description ?? '')
  const [isShared, setShared] = useState(query.visibility === 'project')
  const { save, isPending, error } = useSaveQuery(projectRef, (id) => {
    onSaved(id)
    onClose()
  })
  const isNew = query.revision === 0
  return (
    <FormDialog
      title={isNew ? 'Save query' : `Edit ${query.name}`}
      size="small"
      verb={isNew ? 'Save query' : 'Save'}
      pending={isPending}
      disabled={name.trim() === ''}
      onSubmit={() =>
        save({
          ...query,
          name: name.trim(),
          description: description.trim() || null,
          visibility: isShared ? 'project' : 'user',
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={longestName}
        required
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Description (optional)"
        value={description}
        maxLength={longestDescription}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Checkbox
        label="Share with the project"
        checked={isShared}
        onChange={(event) => setShared(event.target.checked)}
      />
      <p className="faint t12">
        Everybody in this project can read and run a query that is shared. Only you can change it.
      </p>
      {error && (
        <Alert variant="danger" title="The query could not be saved">
          {error.message}
        </Alert>
      )}
    </FormDialog>
  )
}

type SaveButtonProps = {
  projectRef: string
  saved: Query | undefined
  sql: string
  dialect: LogDialect
  onSaved: (id: string) => void
}

/** Keeps the text: as the query that is open, if it is one's own, or as a new one. */
export function SaveButton({ projectRef, saved, sql, dialect, onSaved }: SaveButtonProps) {
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

type Page = Output<typeof snippets.list>

/** Saved queries of logs that the reader may see, the one that changed last first. `name` is matched by the server. */
export const savedQueriesQuery = (ref: string, name: string) =>
  infiniteQueryOptions({
    queryKey: [snippets.list.name, { ref, type: 'log_sql', name }],
    queryFn: ({ pageParam, signal }) =>
      call(
        snippets.list,
        {
          ref,
          type: 'log_sql',
          sort_by: 'updated_at',
          sort_order: 'desc',
          limit: 100,
          ...(name ? { name } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }: Page) => cursor ?? undefined,
    staleTime: fresh.default,
    placeholderData: (before) => before,
  })

export const savedQueryQuery = (ref: string, id: string) => ({
  queryKey: [snippets.item.name, { ref, id, type: 'log_sql' }],
  staleTime: fresh.default,
  queryFn: async (): Promise<Query> => {
    const snippet = await call(snippets.item, { ref, id })
    if (snippet.type !== 'log_sql' || !isQuery(snippet)) throw notFound()
    return snippet
  },
})

const notFound = () =>
  new CallError('There is no such query', { code: 404, reason: 'snippet_not_found' })

export const dialectOf = ({ content }: Query): LogDialect => content.dialect ?? 'analytics'

type Kept = {
  id: string
  name: string
  description: string | null
  visibility: 'user' | 'project'
  sql: string
  dialect: LogDialect
  /** The one that the change began from; 0 for what is new. */
  revision: number
}

/** Saves a query, new or changed. What somebody else has saved meanwhile is not overwritten. */
function useSaveQuery(
  ref: string,
  onSaved: (id: string) => void,
  onError?: (error: CallError) => void,
) {
  const { mutate, isPending, error } = useCall(snippets.put, {
    changes: [snippets.list, snippets.item],
    onSuccess: ({ id }) => {
      onSaved(id)
    },
    ...(onError ? { onError } : {}),
  })
  return {
    isPending,
    error,
    save: ({ sql, dialect, ...rest }: Kept) =>
      mutate({
        ref,
        type: 'log_sql',
        ...rest,
        content: { schema_version: '1.0', content_id: rest.id, sql, dialect },
      }),
  }
}
