import { useSuspenseQuery, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History, Webhook, RotateCw } from 'lucide-react'
import type { DatabaseTrigger } from '#contract/database/database-triggers'
import { migrations } from '#contract/database/migrations'
import { webhookFunction, type WebhookCall } from '#contract/integrations/webhooks'
import { dropTrigger } from '#contract/ddl/triggers'
import { DeleteTitle } from '../../../modules/objects/list/DropObject.tsx'
import { triggersQuery } from '../../../modules/objects/lists.ts'
import {
  changeColumn,
  codeColumn,
  nameColumn,
} from '../../../modules/objects/list/object-columns.tsx'
import {
  byText,
  emptyList,
  type Place,
  type Resource,
} from '../../../modules/objects/list/resource.tsx'
import { modeNames } from '../../../modules/objects/TriggerTarget.tsx'
import { projectQuery } from '../../../session/project/project.ts'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { outcomeOf } from './call-outcome.ts'
import { callsQuery } from './queries.ts'
import { functionAt, toldBy } from './webhook-draft.ts'
import { ofWebhooks, WebhookForm } from './WebhookForm.tsx'
import './webhooks.css'

/** The project's address, below which its functions are. */
type More = { endpoint: string }

/** Webhooks are the triggers that call one function; the address names the one whose calls are looked at. */
export const webhooks: Resource<DatabaseTrigger, More> = {
  title: 'Webhooks',
  help: 'Call a URL or an edge function when rows of a table change.',
  icon: Webhook,
  within: 'schema',
  find: { label: 'Find a webhook', name: 'find' },
  query: triggersQuery,
  rowsOf: (data) => data.filter(isWebhook),
  useMore: (projectRef) => useSuspenseQuery(projectQuery(projectRef)).data,
  keyOf: ({ id }) => String(id),
  narrow: byText((one) => `${one.name} ${one.table} ${eventsOf(one)} ${urlOf(one)}`),
  columns: webhookColumns,
  empty: emptyList({
    one: 'webhook',
    searched: 'its name, table, events or address',
    none: (schema) => `No webhook is called when rows of the schema ${schema} change.`,
  }),
  needs: migrations.change,
  forgets: ofWebhooks,
  create: { label: 'Create webhook', panel: (place) => webhookForm(place) },
  below: ({ projectRef, rows, search, onSearch }) => {
    const watched = rows?.find(({ id }) => String(id) === search['calls'])
    return (
      watched && (
        <CallsPanel
          projectRef={projectRef}
          webhook={watched}
          onClose={() => onSearch({ ...search, calls: undefined })}
        />
      )
    )
  },
}

const webhookForm = (
  { projectRef, schema, more: { endpoint }, close }: Place<DatabaseTrigger, More>,
  found?: DatabaseTrigger,
) => (
  <WebhookForm
    {...{ projectRef, schema, endpoint }}
    {...(found ? { found } : {})}
    onClose={close}
  />
)

const isWebhook = ({ function_schema, function_name }: DatabaseTrigger) =>
  function_schema === webhookFunction.schema && function_name === webhookFunction.name

/** `INSERT, UPDATE OF title` */
const eventsOf = ({ events, columns }: DatabaseTrigger): string =>
  events
    .map((event) =>
      event === 'UPDATE' && columns.length > 0 ? `UPDATE OF ${columns.join(', ')}` : event,
    )
    .join(', ')

const urlOf = ({ function_args }: DatabaseTrigger) => function_args[0] ?? ''

const kindOf = (webhook: DatabaseTrigger, endpoint: string) =>
  functionAt(urlOf(webhook), endpoint) === undefined ? 'HTTP request' : 'Edge function'

function webhookColumns(place: Place<DatabaseTrigger, More>): Column<DatabaseTrigger>[] {
  const { projectRef, search, onSearch, denied, more, open, ask } = place
  const { endpoint } = more
  const edit = (found: DatabaseTrigger) => open((now) => webhookForm(now, found))
  const drop = (trigger: DatabaseTrigger) =>
    ask({
      change: dropTrigger(trigger),
      title: <DeleteTitle name={trigger.name} />,
      verb: 'Delete webhook',
      danger: true,
      done: `${trigger.name} is deleted`,
      children: (
        <p className="help">
          Its address is no longer called when rows of {trigger.table} change. Calls in the queue
          are still made.
        </p>
      ),
    })
  return [
    nameColumn({
      width: '24%',
      lock: denied,
      onOpen: edit,
      badge: ({ enabled_mode }) =>
        enabled_mode !== 'ORIGIN' && <Badge>{modeNames[enabled_mode]}</Badge>,
    }),
    codeColumn('Table', ({ table }) => table),
    {
      id: 'events',
      head: 'Events',
      wideOnly: true,
      sortBy: eventsOf,
      cell: (webhook) => (
        <span className="mono object-sql" title={eventsOf(webhook)}>
          {eventsOf(webhook)}
        </span>
      ),
    },
    {
      id: 'kind',
      head: 'Calls',
      wideOnly: true,
      width: '124px',
      sortBy: (webhook) => kindOf(webhook, endpoint),
      cell: (webhook) => kindOf(webhook, endpoint),
    },
    {
      id: 'address',
      head: 'Address',
      wideOnly: true,
      sortBy: urlOf,
      cell: (webhook) => <Address {...{ projectRef, endpoint, webhook }} />,
    },
    changeColumn(
      () => denied,
      edit,
      drop,
      ({ id }) => (
        <MenuItem icon={History} onSelect={() => onSearch({ ...search, calls: String(id) })}>
          Calls
        </MenuItem>
      ),
    ),
  ]
}

type AddressProps = More & { projectRef: string; webhook: DatabaseTrigger }

function Address({ projectRef, endpoint, webhook }: AddressProps) {
  const { method, url } = toldBy(webhook.function_args)
  const slug = functionAt(url, endpoint)
  return (
    <span className="mono object-sql" title={url}>
      <span className="muted">{method}</span>{' '}
      {slug === undefined ? (
        url
      ) : (
        <Link
          className="link"
          to="/project/$ref/functions/$functionSlug"
          params={{ ref: projectRef, functionSlug: slug }}
        >
          {slug}
        </Link>
      )}
    </span>
  )
}

type Props = { projectRef: string; webhook: DatabaseTrigger; onClose: () => void }

/** What a webhook has called, the newest first, and what was answered. */
function CallsPanel({ projectRef, webhook, onClose }: Props) {
  const query = useInfiniteQuery(callsQuery(projectRef, webhook.table_id, webhook.name))
  const calls = query.data?.pages.flatMap((page) => page.calls)
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={
        <>
          Calls of <span className="mono">{webhook.name}</span>
        </>
      }
    >
      <div className="webhook-calls">
        <div className="webhook-calls-head">
          <p className="help">Newest first. Calls are kept for a week, responses for six hours.</p>
          <Button icon={RotateCw} busy={query.isFetching} onClick={() => void query.refetch()}>
            Refresh
          </Button>
        </div>
        {query.error && (
          <ErrorNote what="Calls" error={query.error} onRetry={() => void query.refetch()} />
        )}
        {!calls && !query.error && <Skeleton width="60%" />}
        {calls?.length === 0 && (
          <EmptyState icon={History} title="No calls yet">
            Each call is listed here as soon as a row of {webhook.table} has made it.
          </EmptyState>
        )}
        {calls && calls.length > 0 && (
          <ol aria-label="Calls">
            {calls.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </ol>
        )}
        {query.hasNextPage && (
          <div className="more">
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older
            </Button>
          </div>
        )}
      </div>
    </SidePanel>
  )
}

function Call({ call }: { call: WebhookCall }) {
  const { tone, word } = outcomeOf(call)
  return (
    <li>
      <div className="row">
        <Badge tone={tone}>{word}</Badge>
        <span className="muted">
          <Time at={call.created_at} />
        </span>
      </div>
      {call.error_msg !== null && <p className="webhook-error">{call.error_msg}</p>}
      {call.content === '' && <p className="help">The response was empty.</p>}
      {call.content && (
        <details>
          <summary>Beginning of the answer</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable */}
          <pre className="code well scroll" tabIndex={0} aria-label="Answer">
            {call.content}
          </pre>
        </details>
      )}
    </li>
  )
}
