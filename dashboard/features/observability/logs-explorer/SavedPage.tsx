import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { BookMarked, Ellipsis, Pencil, SearchX, SquareTerminal, Trash2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { snippets, type SnippetListItem } from '#contract/database/snippets'
import { useCall } from '../../../api/client.ts'
import { profileQuery } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { PagedTable, type Column } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { explorerParams } from './explorer-params.ts'
import {
  dialectOf,
  savedQueriesQuery,
  savedQueryQuery,
  SaveQueryDialog,
} from './SaveQueryDialog.tsx'
import './logs-explorer.css'

type Asked = { action: 'edit' | 'delete'; query: SnippetListItem }

/** /project/{ref}/logs/explorer/saved: queries that people keep, for themselves or for everybody in the project. */
export function SavedPage({ projectRef: ref }: { projectRef: string }) {
  const [search, setSearch] = useState('')
  const name = useDeferredValue(search.trim())
  const navigate = useNavigate()
  const query = useInfiniteQuery(savedQueriesQuery(ref, name))
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <Page>
      <PageHead
        title="Saved queries"
        help="Queries of logs that you have saved, and those that others share with this project."
      />
      <SearchField label="Find in saved queries" value={search} onChange={setSearch} width={320} />
      <div className="lx-saved">
        <PagedTable
          label="Saved queries"
          columns={useColumns(ref, setAsked)}
          rows={query.data?.pages.flatMap(({ data }) => data)}
          keyOf={({ id }) => id}
          rowHeight={60}
          query={query}
          empty={
            name ? (
              <EmptyState
                icon={SearchX}
                title="Nothing found"
                action={<Button onClick={() => setSearch('')}>Show all</Button>}
              >
                The name of no saved query contains these words.
              </EmptyState>
            ) : (
              <EmptyState
                icon={BookMarked}
                title="No saved queries"
                action={
                  <Button
                    onClick={() =>
                      void navigate({ to: '/project/$ref/logs/explorer', params: { ref } })
                    }
                  >
                    Open the explorer
                  </Button>
                }
              >
                Write a query in the explorer and save it to find it here again.
              </EmptyState>
            )
          }
        />
      </div>
      {asked?.action === 'edit' && (
        <EditDialog projectRef={ref} id={asked.query.id} onClose={close} />
      )}
      {asked?.action === 'delete' && (
        <DeleteDialog projectRef={ref} query={asked.query} onClose={close} />
      )}
    </Page>
  )
}

function useColumns(ref: string, onAsk: (asked: Asked) => void): Column<SnippetListItem>[] {
  const { data: profile } = useSuspenseQuery(profileQuery)
  return [
    {
      id: 'name',
      head: 'Name',
      cell: ({ id, name, description }) => (
        <span className="lx-saved-name">
          <Link
            className="link ell"
            to="/project/$ref/logs/explorer"
            params={{ ref }}
            search={explorerParams({ saved: id })}
          >
            {name}
          </Link>
          {description && <span className="faint t12 ell">{description}</span>}
        </span>
      ),
    },
    {
      id: 'owner',
      head: 'Seen by',
      width: '220px',
      wideOnly: true,
      cell: ({ visibility, owner, owner_id }) =>
        visibility === 'user'
          ? 'Only you'
          : owner_id === profile.id
            ? 'Everybody in the project'
            : `Everybody, from ${owner.username}`,
    },
    {
      id: 'updated',
      head: 'Changed',
      width: '140px',
      wideOnly: true,
      cell: ({ updated_at }) => <Ago at={updated_at} />,
    },
    {
      id: 'actions',
      head: 'Actions',
      hideHead: true,
      width: '48px',
      cell: (query) => {
        const denied =
          query.owner_id === profile.id ? undefined : `Only ${query.owner.username} can change it`
        return (
          <Menu
            label={`Actions for ${query.name}`}
            align="end"
            trigger={
              <IconButton icon={Ellipsis} iconSize="s" label={`Actions for ${query.name}`} />
            }
          >
            <MenuItem
              icon={SquareTerminal}
              as={(props) => (
                <Link
                  {...props}
                  to="/project/$ref/logs/explorer"
                  params={{ ref }}
                  search={explorerParams({ saved: query.id })}
                />
              )}
            >
              Open in the explorer
            </MenuItem>
            <MenuItem
              icon={Pencil}
              disabledReason={denied}
              onSelect={() => onAsk({ action: 'edit', query })}
            >
              Edit
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              icon={Trash2}
              danger
              disabledReason={denied}
              onSelect={() => onAsk({ action: 'delete', query })}
            >
              Delete
            </MenuItem>
          </Menu>
        )
      },
    },
  ]
}

/** The list has no texts: the query is read before its name can be saved with it. */
function EditDialog(props: { projectRef: string; id: string; onClose: () => void }) {
  const { projectRef, id, onClose } = props
  const { data: query } = useQuery(savedQueryQuery(projectRef, id))
  if (!query) return null
  return (
    <SaveQueryDialog
      {...{ projectRef, onClose }}
      query={{ ...query, sql: query.content.sql, dialect: dialectOf(query) }}
      onSaved={() => toast.success('The query was saved')}
    />
  )
}

function DeleteDialog(props: { projectRef: string; query: SnippetListItem; onClose: () => void }) {
  const { projectRef: ref, query, onClose } = props
  const remove = useCall(snippets.remove, {
    changes: [snippets.list],
    onSuccess: () => {
      toast.success(`${query.name} was deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${query.name}?`}
      verb="Delete query"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref, ids: query.id })}
    >
      <p>
        Its text is deleted permanently
        {query.visibility === 'project' ? ', for everybody in this project.' : '.'}
      </p>
    </ConfirmDialog>
  )
}
